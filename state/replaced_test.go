package state_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dogear/state"
)

// interrupted is the image of a file whose salvage was interrupted when all was moved, and the suffix that was given to
// it.
func interrupted(t *testing.T, img image) (image, string) {
	t.Helper()
	const name = "shelf.db.damaged-20260101T000000Z"
	var m map[string]any
	if err := json.Unmarshal(img[".lock"], &m); err != nil {
		t.Fatal(err)
	}
	m["salvaging"] = map[string]any{"aside": name, "why": "page 10: zeroed"}
	lock, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	suffix := strings.TrimPrefix(name, "shelf.db")
	return image{suffix: img[""], ".lock": append(lock, '\n'), ".salvage": []byte("half")}, suffix
}

func TestAFilePutInThePlaceOfOneThatIsBeingSalvagedIsUsed(t *testing.T) {
	ended := shelfImages().ended
	img, suffix := interrupted(t, ended.with("", zeroed(9*4096, 10*4096)))
	img[""] = ended[""]
	path := img.write(t)
	o := newShelf(t).options(path)
	var told []state.Salvage
	o.Tell = func(s *state.Salvage) { told = append(told, *s) }
	f := &file{TB: t, ctx: context.Background(), path: path}
	run := f.openAt(later, o)
	if run.Found.Salvaged != nil || run.Found.Counts.Left() != 0 {
		t.Errorf("the run found %+v", run.Found)
	}
	if len(told) != 1 || !told[0].Replaced || told[0].Aside != path+suffix {
		t.Errorf("it says %+v", told)
	}
	f.close(run, state.Finished)
	if !bytes.Equal(contentOf(t, path+suffix), img[suffix]) {
		t.Error("the damaged file is not as it was")
	}
	if left, err := filepath.Glob(path + ".salvage*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestAJobIsRemovedWhileItIsBeingSalvaged(t *testing.T) {
	img, suffix := interrupted(t, shelfImages().ended.with("", zeroed(9*4096, 10*4096)))
	f := &file{TB: t, ctx: context.Background(), path: img.write(t)}
	if err := state.Remove(f.ctx, f.path); err != nil {
		t.Fatal(err)
	}
	if run := f.open(newShelf(t).options(f.path)); !run.Found.New || run.Found.Salvaged != nil {
		t.Errorf("the next run found %+v", run.Found)
	}
	if !bytes.Equal(contentOf(t, f.path+suffix), img[suffix]) {
		t.Error("the damaged file is not as it was")
	}
}

// A run that ends before its first commit leaves a file with nothing in it. What the lock file says is of the one
// before.
func TestAFileThatWasRemovedByHandIsNoDamageOfTheNext(t *testing.T) {
	f := &file{TB: t, ctx: context.Background(), path: shelfImages().ended.write(t)}
	if err := os.Remove(f.path); err != nil {
		t.Fatal(err)
	}
	o := newShelf(t).options(f.path)
	o.Starts[0] = state.Start{Entry: "first", Total: -1} // which the file refuses, after its tables are made
	if _, err := state.OpenRun(f.ctx, o, epoch); err == nil {
		t.Fatal("it took a start of less than nothing")
	}
	if _, err := os.Stat(f.path); err != nil {
		t.Fatal(err)
	}
	if run := f.open(newShelf(t).options(f.path)); run.Found.Salvaged != nil {
		t.Errorf("it takes the new file for a damaged one: %+v", run.Found.Salvaged)
	}
}

// Nothing of a small job is in the file itself before its first checkpoint: with a -wal it is the job of that, whatever
// the lock file says of one that was there before.
func TestASmallJobsFileWithItsLogIsNoDamageWhereAnotherWas(t *testing.T) {
	other, mixed, ended := otherShelf(t), shelfImages().mixed, shelfImages().ended
	for name, img := range map[string]image{
		"one that had ended":  {"": other[""], "-wal": other["-wal"], ".lock": ended[".lock"]},
		"one that was killed": {"": other[""], "-wal": other["-wal"], ".lock": mixed[".lock"]},
	} {
		t.Run(name, func(t *testing.T) {
			f := &file{TB: t, ctx: context.Background(), path: img.write(t)}
			o := newShelf(t).options(f.path)
			o.Pages = append(o.Pages, state.Page{Name: "page"})
			var was string
			o.Changed = func(name string, _ []byte) error { was = name; return nil }
			run := f.openAt(later, o)
			if run.Found.Salvaged != nil || run.Found.Counts.Done == 0 || was == "" || was == "shelf" {
				t.Errorf("the run found %q, %+v", was, run.Found)
			}
		})
	}
}

func TestALockFileThatNoRunWroteCountsForNothing(t *testing.T) {
	for _, text := range []string{
		"", "\n", "{", "null\n", "[]\n", `{"salvaging":{}}`, `{"salvaging":{"aside":"../x.damaged-1","saved":{}}}`,
		`{"salvaging":{"aside":"shelf.db","why":"\u001b[31m"}}`, `{"job":1}`, strings.Repeat("{", 1<<17), "\x00\xff\n",
	} {
		img := shelfImages().ended.with(".lock", func([]byte) []byte { return []byte(text + "\n") })
		f := &file{TB: t, ctx: context.Background(), path: img.write(t)}
		o := newShelf(t).options(f.path)
		o.Tell = func(s *state.Salvage) { t.Errorf("%.60q: it says %+v", text, s) }
		f.close(f.openAt(later, o), state.Finished)
		f.want(`SELECT count(*) FROM tasks WHERE state IN ('done', 'failed')`, "84")
	}
}
