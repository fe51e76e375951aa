package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
	"dogear/schema"
)

// damage is something that happens to a state file.
type damage struct {
	name string
	do   func(b []byte) []byte
}

const damagedPage = 4096 // bytes

func zeroPage(n int) func([]byte) []byte {
	return func(b []byte) []byte { clear(b[(n-1)*damagedPage : min(n*damagedPage, len(b))]); return b }
}

func scramble(from, to int) func([]byte) []byte {
	return func(b []byte) []byte {
		random := rand.New(rand.NewPCG(7, 7))
		for i := from; i < to; i++ {
			b[i] = byte(random.Uint32())
		}
		return b
	}
}

var damages = []damage{
	{"cut in the middle", func(b []byte) []byte { return b[:len(b)/2] }},
	{"cut by its last page", func(b []byte) []byte { return b[:len(b)-damagedPage] }},
	{"whose first page is zeroed", zeroPage(1)},
	{"whose first 16 bytes are garbage", scramble(0, 16)},
	{"whose first 100 bytes are garbage", scramble(0, 100)},
	{"whose table of tasks has lost its root", zeroPage(5)},
	{"that has lost a fifth of its pages", func(b []byte) []byte {
		for n := 3; n <= len(b)/damagedPage; n += 5 {
			zeroPage(n)(b)
		}
		return b
	}},
}

func TestADamagedFileIsSetAsideAndItsRunGoesOn(t *testing.T) {
	p := goldenPractice(t)
	whole := goldenJob(t, p.URL)
	dogearRun(t, 3, "run", whole)
	for version := 1; version <= len(schema.Migrations()); version++ {
		for _, d := range damages {
			t.Run(fmt.Sprintf("a file of version %d %s", version, d.name), func(t *testing.T) {
				job := goldenJob(t, p.URL)
				takeGolden(t, version, stateOf(job), p.URL)
				before := rows(t, stateOf(job), `SELECT url FROM tasks WHERE state IN ('done', 'failed')`)
				harm(t, stateOf(job), d.do)
				goesOn(t, p, whole, job, before)
			})
		}
	}
}

func harm(t *testing.T, path string, do func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, do(b), 0o644); err != nil {
		t.Fatal(err)
	}
}

// goesOn runs the job of a damaged file to its end, which has to be that of a whole run. before are the tasks that were
// finished before the damage.
func goesOn(t *testing.T, p *practice.Process, whole, job string, before []string) {
	t.Helper()
	harmed, err := os.ReadFile(stateOf(job))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"status", "failures", "verify"} { // the last reads all of it
		c := start(t, command, job)
		if code := c.exit(); code != 1 && (code != 0 || command == "verify") {
			t.Errorf("dogear %s: exit %d: %s", command, code, c.said())
		} else if code == 1 && (!strings.Contains(c.said(), " damaged ") || !strings.Contains(c.said(), "`dogear run`")) {
			t.Errorf("%s does not say what to do: %s", command, c.said())
		}
	}
	if now, err := os.ReadFile(stateOf(job)); err != nil || !bytes.Equal(now, harmed) {
		t.Errorf("looking changed the damaged file (%v)", err)
	}
	reset(t, p)
	said := dogearRun(t, 3, "run", job, "--quiet").said()
	saved := readSaved(t, said)
	if aside, err := os.ReadFile(saved.aside); err != nil || !bytes.Equal(aside, harmed) {
		t.Errorf("%s is not the damaged file (%v)", saved.aside, err)
	}
	counts := must(p.Counts())
	var again int64
	for _, url := range before {
		if counts[strings.TrimPrefix(url, p.URL)] > 0 {
			again++
		}
	}
	if want := int64(len(before)) - saved.done - saved.failed; again != want {
		t.Errorf("%d of %d finished tasks were asked for again, what is said means %d:\n%s", again, len(before), want, said)
	}
	sameEnd(t, whole, job)
	dogearRun(t, 3, "verify", job)
}

// savedCounts are the numbers in what the user is told.
type savedCounts struct {
	aside                              string
	tasks, done, failed, left, records int64
}

var saidSaved = regexp.MustCompile(`(?s)is damaged: .* set aside, as it was, as (\S+)\.\n` +
	`  saved in a new golden\.db: (\d+) tasks? \((\d+) done, (\d+) failed, (\d+) to fetch\) and (\d+) records?\n`)

func readSaved(t *testing.T, said string) savedCounts {
	t.Helper()
	m := saidSaved.FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("it is not said what was saved: %s", said)
	}
	s := savedCounts{aside: m[1]}
	for i, n := range []*int64{&s.tasks, &s.done, &s.failed, &s.left, &s.records} {
		*n, _ = strconv.ParseInt(m[i+2], 10, 64) // digits
	}
	if s.tasks != s.done+s.failed+s.left {
		t.Errorf("%d tasks are not %d + %d + %d", s.tasks, s.done, s.failed, s.left)
	}
	return s
}

// sameEnd compares what the user has of two finished runs.
func sameEnd(t *testing.T, whole, job string) {
	t.Helper()
	for _, q := range []string{
		`SELECT url, page, state, status, error_kind FROM tasks ORDER BY url`,
		`SELECT product_id, name, price, rating FROM products ORDER BY 1`,
		`SELECT title, url FROM details ORDER BY 2`,
		`SELECT pending, in_flight, done, failed FROM counters`,
		`PRAGMA user_version`, `PRAGMA integrity_check`,
	} {
		if diff := cmp.Diff(rows(t, stateOf(whole), q), rows(t, stateOf(job), q)); diff != "" {
			t.Errorf("%s (-whole +salvaged):\n%s", q, diff)
		}
	}
	if left, err := filepath.Glob(stateOf(job) + ".salvage*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
