package state_test

import (
	"context"
	"fmt"
	"testing"

	"dogear/state"
)

const (
	bodiesSQL = `SELECT task, url, status, content_type, charset, at, size, hex(body) FROM page_bodies ORDER BY task`
	keptSQL   = `SELECT "table", field, filled, defaulted, empty, rejected FROM field_counts ORDER BY 1, 2`
)

// withBodies is a file with kept pages, small and of many pages of the file: of tasks with an answer, of one that has
// none yet, and of one that there is not.
func withBodies(t *testing.T) (img image, bodies, counts string) {
	t.Helper()
	f := &file{TB: t, ctx: context.Background(), path: shelfImages().mixed.write(t)}
	for _, text := range []string{
		`INSERT INTO page_bodies SELECT id, url, 200, 'text/html', '', finished_at, id, randomblob(id % 7 * 3000)
			FROM tasks WHERE finished_at IS NOT NULL`,
		`PRAGMA wal_checkpoint(TRUNCATE)`,
	} {
		if _, err := openRaw(t, f.path).Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	bodies, counts = f.ask(bodiesSQL), f.ask(keptSQL)
	_, err := openRaw(t, f.path).Exec(`INSERT INTO page_bodies SELECT id, url, 200, '', '', 7, 1, x'00' FROM tasks
		WHERE finished_at IS NULL UNION ALL SELECT 100000, 'http://gone/', 200, '', '', 7, 1, x'00';
		PRAGMA wal_checkpoint(TRUNCATE)`)
	if err != nil {
		t.Fatal(err)
	}
	f.db.Close()
	return imageOf(t, f.path), bodies, counts
}

// rootOf is the first page of a table or index, from 1.
func rootOf(t *testing.T, img image, name string) int {
	t.Helper()
	f := &file{TB: t, ctx: context.Background(), path: img.write(t)}
	root := 0
	if _, err := fmt.Sscan(f.ask(`SELECT rootpage FROM sqlite_schema WHERE name = ?`, name), &root); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestASalvageKeepsPagesAndTheCountsOfFields(t *testing.T) {
	img, bodies, counts := withBodies(t)
	if bodies == "" || counts == "" {
		t.Fatal("there is nothing to keep")
	}
	size := pageSize(img[""])
	for _, c := range []struct {
		name string
		page int // that is zeroed
	}{
		{"the attempts are lost", rootOf(t, img, "attempts_task")},
		{"no tree leads to anything", 1},
		{"the tree of the pages is lost", rootOf(t, img, "page_bodies")},
	} {
		t.Run(c.name, func(t *testing.T) {
			harmed := img.with("", zeroed((c.page-1)*size, c.page*size))
			f := &file{TB: t, ctx: context.Background(), path: harmed.write(t)}
			run := f.openAt(later, newShelf(t).options(f.path))
			if run.Found.Salvaged == nil {
				t.Fatal("nothing was noticed")
			}
			f.want(bodiesSQL, bodies)
			f.want(keptSQL, counts)
			f.close(run, state.Interrupted)
		})
	}
}
