package state_test

import (
	"context"
	"testing"

	"dogear/state"
)

// A user may index the records for questions of their own, also uniquely: the key of the table is another index.
func TestIndexesThatTheUserMadeOnRecordsAreNoKeys(t *testing.T) {
	for _, index := range []string{
		`CREATE UNIQUE INDEX mine ON items (n, url)`,
		`CREATE UNIQUE INDEX mine ON items (upper(url))`,
		`CREATE UNIQUE INDEX mine ON items (text) WHERE n < 3`,
		`CREATE INDEX mine ON notes (text)`,
	} {
		t.Run(index, func(t *testing.T) {
			f := &file{TB: t, ctx: context.Background(), path: shelfImages().mixed.write(t)}
			db := openRaw(t, f.path)
			if _, err := db.Exec(index); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			s := newShelf(t)
			run := f.openAt(later, s.options(f.path))
			if run.Found.Salvaged != nil {
				t.Fatalf("it is taken for damaged: %+v", run.Found.Salvaged)
			}
			f.close(run, state.Interrupted)
			harm(t, f.path, zeroed(9*4096, 10*4096))
			run = f.openAt(later, s.options(f.path))
			if run.Found.Salvaged == nil {
				t.Fatal("nothing is noticed")
			}
			s.crawl(t, run, later, 1<<60)
			f.close(run, state.Finished)
			if got := shelfEnd(f); got != wholeShelf() {
				t.Errorf("it ends as %s", got)
			}
			f.want(`SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name LIKE '%\_\_key' ESCAPE '\'
				ORDER BY name)`, "items__key,notes__key")
		})
	}
}
