package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

func TestOnlyWhatChangedIsSent(t *testing.T) {
	b := newBook(t, items())
	b.page([]any{int64(1), "a"}, []any{int64(2), "b"})
	b.wantSent(2)
	b.page([]any{int64(3), "c"})
	b.wantSent(1)
	b.again()
	b.page([]any{int64(1), "A"}, []any{int64(4), nil})
	b.wantSent(2)
	b.wantSent(0)
	o := b.options()
	o.SinceStart = true
	if n, err := b.send(o); n != 4 || err != nil {
		t.Errorf("since start: %d rows, %v", n, err)
	}
	b.wantSent(0)
}

// A state file that was started over has other rows under the same numbers.
func TestAStateFileThatWasStartedOverIsSentFromItsBeginning(t *testing.T) {
	b := newBook(t, items())
	b.pages(3, func(task int64) [][]any { return [][]any{{task, "first"}} })
	b.wantSent(3)
	b.close()
	if err := state.Remove(t.Context(), b.path); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(1e9)
	b.open()
	b.pages(3, func(task int64) [][]any { return [][]any{{task, "second"}} })
	b.wantSent(3)
}

// A copy of the state file that is put back knows less than was sent.
func TestAnOlderCopyOfTheStateFileIsSentFromItsBeginning(t *testing.T) {
	b := newBook(t, items())
	b.pages(3, func(task int64) [][]any { return [][]any{{task, "first"}} })
	b.close()
	old := filepath.Join(t.TempDir(), "old.db")
	copied(t, b.path, old)
	b.open()
	b.pages(2, func(task int64) [][]any { return [][]any{{task, "lost"}} })
	b.wantSent(5)
	b.close()
	copied(t, old, b.path)
	b.open()
	b.pages(1, func(task int64) [][]any { return [][]any{{task, "after"}} })
	if n, err := b.send(b.options()); n != 4 || err != nil {
		t.Errorf("sent %d, %v", n, err)
	}
	if got := b.query1(`SELECT note FROM items WHERE id = 4`); got != "after" {
		t.Errorf("record 4 is %s", got)
	}
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The watermark tells of rows; without them it is void.
func TestATableThatWasDroppedOrEmptiedIsFilledAgain(t *testing.T) {
	b := newBook(t, items())
	b.pages(3, item)
	b.wantSent(3)
	b.exec(`DROP TABLE items`)
	b.wantSent(3)
	b.exec(`TRUNCATE TABLE items`)
	b.wantSent(3)
	b.exec(`DROP TABLE dogear_exports`)
	b.wantSent(3)
	b.wantSent(0)
}

func keyless() *schema.Table {
	return &schema.Table{Name: "lines", Fields: []schema.Field{{Name: "line"}}}
}

// Without a key a record is its task and position: what an answer no longer has goes, even all of it.
func TestWithoutAKeyTheServerHoldsWhatTheStateHolds(t *testing.T) {
	b := newBook(t, keyless())
	five := func(int64) [][]any { return [][]any{{"1"}, {"2"}, {"3"}, {"4"}, {"5"}} }
	b.pages(40, five)
	b.wantSent(200)
	b.again()
	b.pages(40, func(task int64) [][]any { return five(task)[:task%6] })
	n, err := b.send(b.options())
	if err != nil || n == 0 {
		t.Fatalf("sent %d, %v", n, err)
	}
	b.wantEqual()
	b.again()
	b.pages(40, func(int64) [][]any { return nil })
	b.wantSent(0)
	if got := b.query1(`SELECT COUNT(*) FROM ` + "`lines`"); got != "0" {
		t.Errorf("%s rows are left", got)
	}
}

func TestTwoJobsCannotShareATableWithoutAKey(t *testing.T) {
	b := newBook(t, keyless())
	b.page([]any{"mine"})
	b.wantSent(1)
	o := b.options()
	o.Job = "another"
	if _, err := b.send(o); err == nil || !strings.Contains(err.Error(), `job "job" fills it too`) {
		t.Errorf("error %v", err)
	}
	b.wantEqual()
}
