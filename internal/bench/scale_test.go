package bench

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

var (
	scaleTasks = flag.Int64("scale.tasks", 200_000, "tasks of BenchmarkScale")
	scaleRange = flag.Bool("scale.ordered", false, "ids in order instead of shuffled")
)

// BenchmarkScale is one long crawl with the real binary: how soon it asks for something, at the start and after a kill -9
// half way, whether memory and speed stay the same from the first tenth to the last, and how much of the disk a task takes.
// `just scale` makes it 10,000,000 tasks.
func BenchmarkScale(b *testing.B) {
	c := newClimb(b)
	half := c.start(b, *scaleTasks/2)
	half.kill(b)
	rest := c.start(b, *scaleTasks)
	rest.wait(b)
	products, done := c.work.kept(b, c.job)
	if products != c.work.tasks || done != c.work.tasks {
		b.Fatalf("kept %d products of %d tasks done, want %d", products, done, c.work.tasks)
	}
	size, err := os.Stat(c.db)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(half.first.Seconds(), "s-to-first-request")
	b.ReportMetric(rest.first.Seconds(), "s-to-first-request-resumed")
	b.ReportMetric(float64(size.Size())/float64(done), "bytes/task")
	b.ReportMetric(c.last()/c.steps[0].rate, "last-tenth/first")
	b.Log(c)
}

// climb is a crawl that is watched by tenths.
type climb struct {
	work  work
	site  *practice.Process
	job   string
	db    string
	steps []step
	wal   int64 // bytes at most
	from  int64 // requests that the site had answered at the last step
	since time.Time
}

// step is what was seen of a tenth of the work.
type step struct {
	asked   int64
	rate    float64 // requests a second
	memory  int64   // bytes resident
	db, wal int64
}

func newClimb(b *testing.B) *climb {
	p, err := practice.StartProcess(b.Context(), practice.Options{Products: *scaleTasks, Quiet: true}, anyCPU)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.Close() })
	w := work{url: p.URL, tasks: *scaleTasks, workers: 64, cpu: anyCPU}
	c := &climb{work: w, site: p, job: w.writeJob(b)}
	if *scaleRange {
		text, err := os.ReadFile(c.job)
		if err == nil {
			err = os.WriteFile(c.job, []byte(strings.Replace(string(text), ", order: shuffle", "", 1)), 0o644)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	c.db = filepath.Join(filepath.Dir(c.job), "products.db")
	return c
}

// leg is one process of the crawl.
type leg struct {
	cmd   *exec.Cmd
	ended chan struct{}
	first time.Duration // from the start of the process to its first request
}

// start starts dogear and watches it until the site was asked so often, or the process has ended.
func (c *climb) start(b *testing.B, until int64) *leg {
	before := c.asked(b)
	l := &leg{
		cmd:   process{role: dogearRole, args: []string{"run", c.job, "--quiet"}, cpu: anyCPU}.command(b),
		ended: make(chan struct{}),
	}
	l.cmd.Env = append(os.Environ(), roleVariable+"="+dogearRole, peakVariable+"="+filepath.Join(b.TempDir(), "peak"))
	l.cmd.Stderr = os.Stderr
	began := time.Now()
	if err := l.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	go func() { _ = l.cmd.Wait(); close(l.ended) }() // its error is the exit code
	for c.asked(b) == before && l.lives(2*time.Millisecond) {
	}
	l.first = time.Since(began)
	c.from, c.since = c.asked(b), time.Now()
	for asked := c.from; asked < until && l.lives(50*time.Millisecond); asked = c.asked(b) {
		c.wal = max(c.wal, fileSize(c.db+"-wal"))
		if tenth := c.work.tasks / 10; asked/tenth > c.from/tenth {
			c.step(asked, l.cmd.Process.Pid)
		}
	}
	return l
}

// lives waits that long, or until the process has ended.
func (l *leg) lives(d time.Duration) bool {
	select {
	case <-l.ended:
		return false
	case <-time.After(d):
		return true
	}
}

func (c *climb) asked(b *testing.B) int64 {
	stats, err := c.site.Stats()
	if err != nil {
		b.Fatal(err)
	}
	return stats.Total
}

func (c *climb) step(asked int64, pid int) {
	now := time.Now()
	c.steps = append(c.steps, step{
		asked: asked, rate: float64(asked-c.from) / now.Sub(c.since).Seconds(), memory: residentOf(pid),
		db: fileSize(c.db), wal: fileSize(c.db + "-wal"),
	})
	c.from, c.since = asked, now
}

func (l *leg) kill(b *testing.B) {
	if err := l.cmd.Process.Kill(); err != nil {
		b.Fatal(err)
	}
	<-l.ended
}

func (l *leg) wait(b *testing.B) {
	<-l.ended
	if code := l.cmd.ProcessState.ExitCode(); code != 0 {
		b.Fatalf("exit %d", code)
	}
}

// last is the speed of the last tenth that was seen whole.
func (c *climb) last() float64 { return c.steps[len(c.steps)-1].rate }

func (c *climb) String() string {
	var t strings.Builder
	fmt.Fprintf(&t, "\n%12s %10s %8s %8s %8s\n", "requests", "a second", "MB", "db MB", "wal MB")
	for _, s := range c.steps {
		fmt.Fprintf(&t, "%12d %10.0f %8.1f %8.0f %8.1f\n", s.asked, s.rate, float64(s.memory)/1e6, float64(s.db)/1e6, float64(s.wal)/1e6)
	}
	fmt.Fprintf(&t, "the WAL had %.1f MB at most\n", float64(c.wal)/1e6)
	return t.String()
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0 // not there yet, or no longer
	}
	return info.Size()
}
