package cli_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dogear/internal/testenv"
)

// Where the migration of an older file is killed; the first calls on any file are those that write the backup.
var migrationPoints = []killPoint{
	{name: "the backup is written", call: "pwrite64", file: anyFile, when: []int{9, 12, 25, 38}},
	{name: "the backup is synced", call: "fsync", file: anyFile, when: []int{1, 2}},
	{name: "the schema is changed", call: "pwrite64", file: log, when: []int{1, 2, 6, 9}},
	{name: "the change is synced", call: "fsync", file: log, when: []int{1, 2}},
	{name: "the run begins", call: "fsync", file: log, when: []int{3}},
}

func TestAMigrationThatIsKilledAtAnyPointIsMadeByTheNextRun(t *testing.T) {
	tool := testenv.Tool(t, "strace", "strace")
	p := goldenPractice(t)
	whole := goldenJob(t, p.URL)
	dogearRun(t, 3, "run", whole)
	for _, k := range migrationPoints {
		for _, n := range k.when {
			t.Run(fmt.Sprintf("%s/%d", k.name, n), func(t *testing.T) {
				job := goldenJob(t, p.URL)
				takeGolden(t, 1, stateOf(job), p.URL)
				reset(t, p)
				c := traced(t, tool, k.file.of(job), fmt.Sprintf("%s:signal=SIGKILL:when=%d", k.call, n), "run", job)
				if c.exit() != -1 {
					t.Errorf("it was not killed; it said:\n%s", c.said())
				}
				checkSound(t, copied(t, stateOf(job)))
				dogearRun(t, 3, "run", job)
				sameCrawl(t, whole, job)
				checkBackups(t, job)
			})
		}
	}
}

// checkBackups checks that every file beside the job that says that it is a backup is a whole one.
func checkBackups(t *testing.T, job string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(filepath.Dir(job), "*.v1*"))
	if err != nil || len(found) == 0 {
		t.Errorf("no backup: %v", err)
	}
	for _, path := range found {
		if !strings.HasSuffix(path, ".bak") {
			t.Errorf("left behind: %s", path)
			continue
		}
		for query, want := range map[string]string{`PRAGMA integrity_check`: "ok", `PRAGMA user_version`: "1",
			`SELECT pending + in_flight + done + failed = (SELECT count(*) FROM tasks) FROM counters`: "1"} {
			if got := rows(t, path, query); !slices.Equal(got, []string{want}) {
				t.Errorf("backup %s: %s: %q", path, query, got)
			}
		}
	}
}
