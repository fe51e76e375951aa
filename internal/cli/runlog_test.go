package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
)

// logged is a line of a log.
type logged struct {
	Time, Level, Msg, Job, URL, Page, Kind, Error, Ended string
	Task, Attempt                                        int64
	Status, MS                                           *int64
}

// readLogs reads the logs of a folder; errors are those of the files of errors.
func readLogs(t *testing.T, dir string) (all, errors []logged) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var l logged
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatalf("%v in %q", err, line)
			}
			if strings.Contains(file, "-errors-") {
				errors = append(errors, l)
			} else {
				all = append(all, l)
			}
		}
	}
	return all, errors
}

// count is how many lines there are of each level and message.
func countLines(lines []logged) map[string]int {
	n := map[string]int{}
	for _, l := range lines {
		n[l.Level+" "+l.Msg]++
	}
	return n
}

func TestTheLogHasEveryFailedAttemptAndTaskAndTheRun(t *testing.T) {
	for level, want := range map[string]map[string]int{
		"info": {"INFO run started": 1, "WARN attempt failed": 20, "ERROR task failed": 2, "INFO run ended": 1},
		"debug": {"INFO run started": 1, "WARN attempt failed": 20, "ERROR task failed": 2, "INFO run ended": 1,
			"DEBUG task done": 298},
		"error": {"ERROR task failed": 2},
	} {
		_, path := faultySite(t)
		dir := filepath.Join(t.TempDir(), "logs")
		c := dogearRun(t, 3, "run", path, "--log-dir", dir, "--log-level", level)
		all, errors := readLogs(t, dir)
		if diff := cmp.Diff(want, countLines(all)); diff != "" {
			t.Errorf("%s (-want +logged)\n%s", level, diff)
		}
		if diff := cmp.Diff(map[string]int{"ERROR task failed": 2}, countLines(errors)); diff != "" {
			t.Errorf("%s: the errors (-want +logged)\n%s", level, diff)
		}
		for _, l := range all {
			if l.Job != "products" || l.Msg == "run ended" && l.Ended != "finished" {
				t.Errorf("%+v", l)
			}
			task := l.URL != "" && l.Page == "page" && l.Attempt > 0 && l.Task > 0 && l.MS != nil && l.Status != nil
			if strings.HasPrefix(l.Msg, "run ") != (l.URL == "") || l.URL != "" && !task || l.Level == "WARN" &&
				l.Kind == "" {
				t.Errorf("%+v", l)
			}
		}
		if n := rows(t, stateOf(path), `SELECT count(*) FROM attempts`)[0]; n != "20" {
			t.Errorf("the file has %s failed attempts", n)
		}
		if strings.Contains(c.said(), "attempt") && strings.Contains(c.said(), "WRN") {
			t.Errorf("stderr: %s", c.said())
		}
	}
}

func TestALevelWithoutAFolderLogsToStderr(t *testing.T) {
	_, path := faultySite(t)
	c := dogearRun(t, 3, "run", path, "--log-level", "warn")
	if n := strings.Count(c.said(), "level=WARN msg=\"attempt failed\""); n != 20 {
		t.Errorf("%d warnings in %s", n, c.said())
	}
	if quiet := dogearRun(t, 3, "run", "--fresh", path, "--quiet"); quiet.said() != "" {
		t.Errorf("with --quiet: %s", quiet.said())
	}
	for _, args := range [][]string{
		{"run", path, "--log-level", "loud"}, {"run", path, "--log-level", ""}, {"run", path, "--log-dir", ""},
		{"retry", path, "--no-run", "--log-dir", "logs"}, {"retry", path, "--no-run", "--json"}, {"run", path,
			"--every", "1ms"},
	} {
		dogearRun(t, 2, args...)
	}
}

func TestAFolderThatCanNotHoldALogIsToldBeforeTheCrawlBegins(t *testing.T) {
	p, path := faultySite(t)
	file := writeJob(t, "file", "")
	c := dogearRun(t, 1, "run", path, "--log-dir", filepath.Join(file, "logs"))
	if want := "--log-dir " + filepath.Join(file, "logs"); !strings.Contains(c.said(), want) ||
		!strings.Contains(c.said(), "make it writable") {
		t.Errorf("it says %s", c.said())
	}
	if _, err := os.Stat(stateOf(path)); err == nil || must(p.Stats()).Total > 0 {
		t.Error("something was done all the same")
	}
}

// A full disk is /dev/full here: files of the log are links to it.
func TestAFullDiskOfTheLogStopsNoCrawl(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/full")
	}
	_, path := faultySite(t)
	dir := t.TempDir()
	for _, at := range []time.Time{time.Now(), time.Now().Add(time.Hour)} { // midnight may come
		_ = os.Symlink("/dev/full", filepath.Join(dir, "products-"+at.Format(time.DateOnly)+".log"))
	}
	c := dogearRun(t, 3, "run", path, "--log-dir", dir, "--log-level", "debug")
	if n := strings.Count(c.said(), "no space left on device: the crawl goes on without a log"); n != 1 {
		t.Errorf("it says so %d times: %s", n, c.said())
	}
	if got := rows(t, stateOf(path), `SELECT done, failed FROM counters`)[0]; got != "298 2" {
		t.Errorf("done, failed: %s", got)
	}
}

func TestNothingThatARunTellsHasASecretInIt(t *testing.T) {
	const secret = "hunter2-hunter2"
	p := site(t, practice.Options{Products: 20, Faults: []practice.Fault{
		{Path: "/v1/product/3*", Script: "500*"}, {Path: "/v1/product/4*", Script: "404*"}, {Path: "/v1/product/5*",
			Script: "captcha*"},
	}})
	job := strings.Replace(practice.ProductsJob(p.URL, 20, 4), "/v1/product/{id}", "/v1/product/{id}?key=${API_KEY}", 1)
	if !strings.Contains(job, "API_KEY") {
		t.Fatal(job)
	}
	path := writeJob(t, "products.yaml", job)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".env"), []byte("API_KEY="+secret+"\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "logs")
	says := ""
	for _, args := range [][]string{{"--json"}, {}, {"--log-level", "debug"}} {
		where := []string{"--log-dir", dir}
		if len(args) == 2 {
			where = nil
		}
		says += dogearRun(t, 3, append(append([]string{"run", "--fresh", path}, args...), where...)...).said()
	}
	all, _ := readLogs(t, dir)
	text := says + fmt.Sprintf("%+v", all)
	if strings.Contains(text, secret) || !strings.Contains(text, "key=${API_KEY}") || len(all) < 10 {
		t.Errorf("it tells %s", text)
	}
}
