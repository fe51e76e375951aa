package state_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dogear/state"
)

// What a run does about files that are not as the last one left them.
const (
	nothing  = iota // it goes on
	warns           // it goes on, and says that commits are missing
	logAside        // it sets the -wal aside, and goes on with the file
	aside           // it sets all aside, and goes on with what can be read
	empty           // the same, and nothing can be
)

func TestAFileIsMadeGood(t *testing.T) {
	inLog, mixed, ended := shelfImages().inLog, shelfImages().mixed, shelfImages().ended
	other := otherShelf(t)
	others := func([]byte) []byte { return other["-wal"] }
	for _, c := range []struct {
		name string
		img  image
		want int
	}{
		{"that is whole and ended", ended, nothing},
		{"that is whole and was killed", mixed, nothing},
		{"that is whole and was killed before anything was moved out of its -wal", inLog, nothing},

		{"cut to nothing, ended", ended.with("", cutTo(0)), empty},
		{"cut to nothing, its -wal left", mixed.with("", cutTo(0)), aside},
		{"cut to nothing, all of it in its -wal", inLog.with("", cutTo(0)), aside},
		{"cut to nothing, its -wal gone", mixed.with("", cutTo(0)).with("-wal", gone), empty},
		{"cut to 50 bytes", ended.with("", cutTo(50)), empty},
		{"cut to half a page", ended.with("", cutTo(2048)), empty},
		{"cut to its first page", ended.with("", cutTo(4096)), empty},
		{"cut to five pages", ended.with("", cutTo(5*4096)), empty},
		{"cut by its last page and a half", ended.with("", cutTo(len(ended[""])-6000)), aside},
		{"cut by a byte", ended.with("", cutTo(len(ended[""])-1)), aside},
		{"cut in the middle", ended.with("", cutTo(len(ended[""])/2)), empty},
		{"cut in the middle, killed", mixed.with("", cutTo(len(mixed[""])/2)), aside},

		{"whose first 16 bytes are garbage", ended.with("", garbage(0, 16)), aside},
		{"whose first 100 bytes are garbage", ended.with("", garbage(0, 100)), aside},
		{"whose first 100 bytes are garbage, killed, with none in its -wal", mixed.with("", garbage(0, 100)), nothing},
		{"whose first two pages are garbage", ended.with("", garbage(0, 8192)), aside},
		{"of which no lock tells, and 16 bytes are garbage", ended.with("", garbage(0, 16)).with(".lock", gone), aside},
		{"without its lock file, whose first page is zeroed", ended.with("", zeroed(0, 4096)).with(".lock", gone), aside},

		{"whose -wal is gone", mixed.with("-wal", gone), warns},
		{"whose -wal is gone, and all was in it", inLog.with("-wal", gone), empty},
		{"whose -wal was moved into it by a reader", moved(t, mixed), nothing},
		{"whose -wal is cut in the middle", mixed.with("-wal", func(b []byte) []byte { return b[:len(b)/2] }), warns},
		{"whose -wal is zeroed from the middle", mixed.with("-wal", zeroedEnd), warns},
		{"whose -wal has a garbage header", mixed.with("-wal", garbage(0, 32)), logAside},
		{"whose -wal is another job's", mixed.with("-wal", others), logAside},
		{"that had ended, and has another job's -wal", ended.with("-wal", others), logAside},
		{"that is gone, its -wal left", inLog.with("", gone), aside},
		{"that is gone, another job's -wal in its place", mixed.with("", gone).with("-wal", others), empty},
		{"that is older than its last commits", image{"": mixed[""], ".lock": ended[".lock"]}, nothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			saved := survives(t, c.img, c.img)
			if got := did(saved); got != c.want {
				t.Errorf("it did %d, want %d: %+v", got, c.want, saved)
			}
			if saved != nil {
				t.Logf("%+v", *saved)
			}
		})
	}
}

func zeroedEnd(b []byte) []byte { return zeroed(len(b)/2, len(b))(b) }

func did(s *state.Salvage) int {
	switch {
	case s == nil:
		return nothing
	case s.WAL:
		return logAside
	case s.Aside == "":
		return warns
	case s.Tasks == 0:
		return empty
	}
	return aside
}

// otherShelf is the file of another job's killed run.
func otherShelf(t *testing.T) image {
	f := newFile(t)
	run := f.open(f.with(productStart(100)))
	for i := range 20 {
		tasks := f.commit(run, 4)
		for _, task := range tasks {
			f.commit(run, 0, done(task))
		}
		_ = i
	}
	return imageOf(t, f.path)
}

// moved is the image after a reader that was the last to close the file: SQLite then moves the -wal into it.
func moved(t *testing.T, img image) image {
	path := img.write(t)
	db := openRaw(t, path)
	if _, err := db.Exec(`SELECT count(*) FROM tasks`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	after := imageOf(t, path)
	if len(after["-wal"]) > 0 {
		t.Fatal(fmt.Errorf("the -wal is still there"))
	}
	return after
}

// What random bytes do to values nobody can tell, but the run goes on to its end and knows all that it had to fetch.
func TestAFileWithGarbageAllOverIsCrawledToItsEnd(t *testing.T) {
	for seed := uint64(0); seed < 20; seed += every {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			img := shelfImages().ended.with("", func(b []byte) []byte {
				random := rand.New(rand.NewPCG(seed, 1))
				for range len(b) / 100 {
					b[random.IntN(len(b))] = byte(random.Uint32())
				}
				return b
			})
			f := &file{TB: t, ctx: context.Background(), path: img.write(t)}
			s := newShelf(t)
			run := f.openAt(later, s.options(f.path))
			if run.Found.Salvaged == nil {
				t.Fatal("nothing was noticed")
			}
			sameAside(t, img, run.Found.Salvaged.Aside)
			f.agree(run)
			s.crawl(t, run, later, 1<<60)
			f.close(run, state.Finished)
			f.want(`PRAGMA integrity_check`, "ok")
			for page := 1; page <= s.pages; page++ {
				f.want(fmt.Sprintf(`SELECT DISTINCT state FROM tasks WHERE url = 'http://shelf/list/%d'`, page), "done")
			}
			f.want(`SELECT count(*) >= 72 FROM tasks WHERE url GLOB 'http://shelf/item/*'`, "1")
		})
	}
}

// A reader that closes a file as the last one moves its -wal into it. It must not when the -wal is hardly the file's.
func TestAReaderChangesNothingOfADamagedFile(t *testing.T) {
	mixed, ended, other := shelfImages().mixed, shelfImages().ended, otherShelf(t)
	for _, c := range []struct {
		name    string
		img     image
		damaged bool
	}{
		{"another job's -wal", mixed.with("-wal", func([]byte) []byte { return other["-wal"] }), false},
		{"another job's -wal after the end", ended.with("-wal", func([]byte) []byte { return other["-wal"] }), false},
		{"a -wal without its file", mixed.with("", gone), true},
		{"a -wal with an empty file", mixed.with("", cutTo(0)), true},
		{"nothing where there was something", ended.with("", cutTo(0)), true},
		{"a garbage header", ended.with("", garbage(0, 16)), true},
		{"a zeroed first page", ended.with("", zeroed(0, 4096)), true},
		{"half a file", ended.with("", cutTo(10*4096)), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.img.write(t)
			s, err := state.Open(context.Background(), path)
			if err == nil {
				_, err = s.Progress(context.Background())
				s.Close()
			}
			if state.IsDamage(err) != c.damaged {
				t.Errorf("Open: %v", err)
			}
			for suffix, b := range c.img {
				if got, err := os.ReadFile(path + suffix); err != nil || !bytes.Equal(got, b) {
					t.Errorf("reading changed shelf.db%s (%v)", suffix, err)
				}
			}
		})
	}
}

func TestADamageMetDuringARunEndsItAndTheNextOneGoesOn(t *testing.T) {
	f := newFile(t)
	s := bigShelf(t)
	run := f.open(s.options(f.path))
	s.crawl(t, run, epoch, 1500)
	f.close(run, state.Interrupted)
	s = bigShelf(t)
	run = f.open(s.options(f.path))
	harm(t, f.path, func(b []byte) []byte { return zeroed(36*4096, len(b)/4096*4096)(b) })
	var err error
	for err == nil {
		_, err = run.Commit(f.ctx, later, nil, 500)
	}
	var damaged *state.DamagedError
	if !errors.As(err, &damaged) || damaged.Path != f.path {
		t.Fatalf("commit: %v", err)
	}
	f.close(run, "")
	if marker := string(contentOf(t, f.path+".lock")); !strings.Contains(marker, `"damaged":"`) {
		t.Errorf("the lock file does not say so: %s", marker)
	}
	if _, err := f.store().Progress(f.ctx); err != nil && !state.IsDamage(err) {
		t.Errorf("status: %v", err)
	}
	run = f.open(s.options(f.path))
	if run.Found.Salvaged == nil || run.Found.Salvaged.Tasks == 0 {
		t.Errorf("salvaged: %+v", run.Found.Salvaged)
	}
	s.group = nil
	s.crawl(t, run, later, 1<<60)
	f.want(`SELECT count(*) FROM tasks WHERE state IN ('done', 'failed')`, fmt.Sprint(400+400*shelfItems))
	f.close(run, state.Finished)
}

// harm changes a file in place, while it may be open.
func harm(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b := change(contentOf(t, path))
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt(b, 0); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedFileBehindALinkIsSetAsideWhereItIs(t *testing.T) {
	path := shelfImages().ended.with("", zeroed(4096, 2*4096)).write(t)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	f := &file{TB: t, ctx: context.Background(), path: path}
	run := f.openAt(later, newShelf(t).options(link))
	if saved := run.Found.Salvaged; saved == nil || filepath.Dir(saved.Aside) != filepath.Dir(path) || saved.Tasks == 0 {
		t.Errorf("salvaged: %+v", saved)
	}
	f.close(run, state.Interrupted)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no link any more: %v", err)
	}
}

func TestADamagedFileCanBeRemoved(t *testing.T) {
	for _, c := range []struct {
		name string
		img  image
	}{
		{"with a garbage header", shelfImages().ended.with("", garbage(0, 16))},
		{"of which only the -wal is left", shelfImages().mixed.with("", gone)},
	} {
		t.Run("one "+c.name, func(t *testing.T) {
			f := &file{TB: t, ctx: context.Background(), path: c.img.write(t)}
			if err := state.Remove(f.ctx, f.path); err != nil {
				t.Fatal(err)
			}
			if got := without(folder(t, filepath.Dir(f.path)), ".lock"); len(got) > 0 {
				t.Errorf("left: %q", got)
			}
			if run := f.open(newShelf(t).options(f.path)); !run.Found.New || run.Found.Salvaged != nil {
				t.Errorf("the next run found %+v", run.Found)
			}
		})
	}
}
