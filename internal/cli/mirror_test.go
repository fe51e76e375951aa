package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// checkpoint is a JSON checkpoint as a script reads it.
type checkpoint struct {
	Page     *int64   `json:"current_page"`
	Finished []string `json:"finished_urls"`
	Failed   []string `json:"fail_urls"`
	Updated  string   `json:"update_time"`
}

func readCheckpoint(t *testing.T, path string) *checkpoint {
	t.Helper()
	var c checkpoint
	if err := json.Unmarshal(must(os.ReadFile(path)), &c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if _, err := time.Parse(time.RFC3339, c.Updated); err != nil {
		t.Errorf("update_time: %v", err)
	}
	return &c
}

// sameAsState compares a JSON checkpoint with the state file, in its order.
func (c *checkpoint) sameAsState(t *testing.T, jobPath string) {
	t.Helper()
	path := stateOf(jobPath)
	for state, got := range map[string][]string{"done": c.Finished, "failed": c.Failed} {
		want := rows(t, path, `SELECT url FROM tasks WHERE state = ? ORDER BY id`, state)
		if !slices.Equal(want, got) {
			t.Errorf("the JSON differs from the state file (-state +JSON):\n%s", shortened(cmp.Diff(want, got)))
		}
	}
}

// slowProducts is a site whose crawl lasts for some time, a few of whose products fail.
func slowProducts(t *testing.T, n int64) *practice.Process {
	t.Helper()
	return site(t, practice.Options{Products: n, Delay: 20 * time.Millisecond,
		Faults: []practice.Fault{{Path: "/v1/product/*", Script: "404", Every: 50}}})
}

func TestMirrorsOfARunThatIsKilledEndAsTheStateFileDoes(t *testing.T) {
	r := testenv.Redis(t)
	c := r.Client(t)
	p := slowProducts(t, 6000)
	job := productsJob(t, p, 6000, "")
	copyOf := filepath.Join(filepath.Dir(job), "checkpoint.json")
	args := []string{"run", job, "--mirror", "json:" + copyOf, "--mirror", r.URL, "--mirror-every", "100ms"}
	kills := 0
	for i := range 4 {
		d := start(t, args...)
		whenDone(t, d, stateOf(job), 1000*(i+1))
		d.Process.Kill()
		if d.exit() == -1 {
			kills++
		}
		readCheckpoint(t, copyOf)
	}
	if kills < 2 {
		t.Fatalf("only %d kills hit a run", kills)
	}
	said := dogearRun(t, 3, args...).said()
	checkpointInRedis(t, c, "products", job)
	readCheckpoint(t, copyOf).sameAsState(t, job)
	if strings.Count(said, "is up to date") != 2 {
		t.Errorf("it said %s", said)
	}
	if n := rows(t, stateOf(job), `SELECT count(*) FROM mirror_changes`)[0]; n == "5880" {
		t.Error("no change was ever dropped")
	}
	notSaidOrKept(t, said, filepath.Dir(job), "p@ss", "p%40ss")
	if left := must(filepath.Glob(filepath.Join(filepath.Dir(job), ".checkpoint.json.*"))); len(left) > 0 {
		t.Errorf("temporary files stay: %v", left)
	}

	// What is tried again moves, whether the mirror was there or not.
	dogearRun(t, 0, "retry", job, "--quiet", "--mirror", r.URL, "--mirror", "json:"+copyOf)
	checkpointInRedis(t, c, "products", job)
	readCheckpoint(t, copyOf).sameAsState(t, job)
	dogearRun(t, 0, "refresh", job, "--older-than", "0s", "--match", "3$", "--quiet", "--mirror", r.URL)
	checkpointInRedis(t, c, "products", job)
}

// notSaidOrKept looks for a secret in what was printed and in the files of a folder.
func notSaidOrKept(t *testing.T, said, dir string, secrets ...string) {
	t.Helper()
	for _, e := range must(os.ReadDir(dir)) {
		said += string(must(os.ReadFile(filepath.Join(dir, e.Name()))))
	}
	for _, secret := range secrets {
		if strings.Contains(said, secret) {
			t.Errorf("%q was printed or stored", secret)
		}
	}
}

func TestAReaderOfAJSONMirrorAlwaysSeesAWholeFile(t *testing.T) {
	p := slowProducts(t, 6000)
	job := productsJob(t, p, 6000, "shuffle")
	copyOf := filepath.Join(filepath.Dir(job), "checkpoint.json")
	d := start(t, "run", job, "--quiet", "--mirror", "json:"+copyOf, "--mirror-every", "100ms")
	waitFor(t, d, func() bool { _, err := os.Stat(copyOf); return err == nil })
	versions, last := map[string]bool{}, 0
	over := make(chan struct{})
	go func() { d.wait(); close(over) }()
	reads, ended := 0, false
	for ; reads < 1000 || !ended; reads++ {
		select {
		case <-over:
			ended = true
		default:
		}
		c := readCheckpoint(t, copyOf)
		if len(c.Finished) < last {
			t.Fatalf("%d finished URLs after %d", len(c.Finished), last)
		}
		last = len(c.Finished)
		versions[c.Updated+" "+time.Duration(last).String()] = true
	}
	if code := d.exit(); code != 3 {
		t.Fatalf("exit %d: %s", code, d.said())
	}
	t.Logf("%d reads saw %d versions of the file", reads, len(versions))
	if len(versions) < 2 {
		t.Error("the file never changed while it was read")
	}
	readCheckpoint(t, copyOf).sameAsState(t, job)
}

// Redis keeps nothing across its end here, so each return is also one with all data lost.
func TestARedisThatGoesAndComesBackEmptyDelaysTheMirrorOnly(t *testing.T) {
	r := testenv.Redis(t)
	if r.Server == nil {
		t.Skip("this Redis is not ours to stop")
	}
	c := r.Client(t)
	t.Cleanup(func() { r.Start() })
	p := slowProducts(t, 8000)
	job := productsJob(t, p, 8000, "shuffle")
	if err := r.Kill(); err != nil {
		t.Fatal(err)
	}
	d := start(t, "run", job, "--mirror", r.URL, "--mirror-every", "100ms")
	whenDone(t, d, stateOf(job), 1000)
	again := func() {
		t.Helper()
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, d, func() bool { return c.SCard(context.Background(), "crawler:products:completed_ids").Val() >= 1000 })
	}
	again()
	if err := r.Kill(); err != nil {
		t.Fatal(err)
	}
	whenDone(t, d, stateOf(job), 5000)
	again()
	if code := d.exit(); code != 3 {
		t.Fatalf("exit %d: %s", code, d.said())
	}
	checkpointInRedis(t, c, "products", job)
	if n := strings.Count(d.said(), "the mirror waits"); n < 1 || n > 2 {
		t.Errorf("%d warnings for an absence of two: %s", n, d.said())
	}
}

func TestARunWhoseRedisNeverComesEndsWellAndSaysWhatToDo(t *testing.T) {
	p := site(t, practice.Options{Products: 500})
	job := productsJob(t, p, 500, "")
	said := dogearRun(t, 0, "run", job, "--quiet", "--mirror", "redis://:s3cr3t@127.0.0.1:1/0").said()
	if !strings.Contains(said, "is not up to date") || !strings.Contains(said, "dogear export redis "+job) {
		t.Errorf("it said %s", said)
	}
	notSaidOrKept(t, said, filepath.Dir(job), "s3cr3t")
	if n := rows(t, stateOf(job), `SELECT count(*) FROM mirror_changes`)[0]; n != "500" {
		t.Errorf("%s changes wait for it", n)
	}
	dogearRun(t, 0, "run", job, "--quiet")
	if n := rows(t, stateOf(job), `SELECT count(*) FROM mirror_changes`)[0]; n != "0" {
		t.Errorf("%s changes wait though the run had no mirror", n)
	}
}

func TestAnExportDuringAMirroredRunTakesNothingFromTheMirror(t *testing.T) {
	r := testenv.Redis(t)
	c := r.Client(t)
	p := slowProducts(t, 6000)
	job := productsJob(t, p, 6000, "")
	d := start(t, "run", job, "--quiet", "--mirror", r.URL, "--mirror-every", "100ms")
	for i := range 5 {
		whenDone(t, d, stateOf(job), 1000*(i+1))
		dogearRun(t, 0, "export", "redis", job, "--url", r.URL)
	}
	if code := d.exit(); code != 3 {
		t.Fatalf("exit %d: %s", code, d.said())
	}
	checkpointInRedis(t, c, "products", job)
}
