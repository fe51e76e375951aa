package state_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"dogear/state"
)

// later is when the run after the damage begins.
var later = epoch.Add(24 * time.Hour)

// survives opens a file, crawls to the end, and wants what an undisturbed crawl leaves. damaged is what has to be set
// aside, if anything is. It returns what the user was told.
func survives(t *testing.T, img, damaged image) *state.Salvage {
	t.Helper()
	path := img.write(t)
	f := &file{TB: t, ctx: context.Background(), path: path}
	s := newShelf(t)
	o := s.options(path)
	var told []*state.Salvage
	o.Tell = func(s *state.Salvage) { told = append(told, s) }
	run := f.openAt(later, o)
	if len(told) > 1 || len(told) == 1 && told[0] != run.Found.Salvaged || len(told) == 0 && run.Found.Salvaged != nil {
		t.Fatalf("told %v, found %v", told, run.Found.Salvaged)
	}
	f.agree(run)
	saved := run.Found.Salvaged
	if saved != nil && saved.Aside != "" && !saved.WAL {
		sameAside(t, damaged, saved.Aside)
		f.want(`SELECT count(*), count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'),
			(SELECT count(*) FROM items) + (SELECT count(*) FROM notes) FROM tasks`,
			fmt.Sprintf("%d|%d|%d|%d", saved.Tasks, saved.Done, saved.Failed, saved.Records))
	}
	had := f.ask(`SELECT group_concat(url, ' ') FROM tasks WHERE state IN ('done', 'failed')`)
	s.crawl(t, run, later, 1<<60)
	for url, n := range s.asked {
		if n > 1 || bytes.Contains([]byte(had+" "), []byte(url+" ")) {
			t.Errorf("%s was asked for %d times in this run, or was done or failed before it", url, n)
		}
	}
	f.close(run, state.Finished)
	if got := shelfEnd(f); got != wholeShelf() {
		t.Errorf("it ends as\n%s\nwant\n%s", got, wholeShelf())
	}
	f.want(`PRAGMA integrity_check`, "ok")
	return saved
}

// sameAside checks that the damaged file is where the user is told, byte for byte.
func sameAside(t *testing.T, img image, aside string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		want, was := img[suffix]
		got, err := os.ReadFile(aside + suffix)
		if was != (err == nil) || !bytes.Equal(got, want) {
			t.Errorf("%s%s has %d bytes (%v), the damaged file had %d", aside, suffix, len(got), err, len(want))
		}
	}
}

func (img image) with(suffix string, change func([]byte) []byte) image {
	c := img.clone()
	if b := change(c[suffix]); b != nil {
		c[suffix] = b
	} else {
		delete(c, suffix)
	}
	return c
}

func gone([]byte) []byte { return nil }

func cutTo(n int) func([]byte) []byte {
	return func(b []byte) []byte { return b[:max(0, min(n, len(b)))] }
}

func zeroed(from, to int) func([]byte) []byte {
	return func(b []byte) []byte { clear(b[from:to]); return b }
}

func garbage(from, to int) func([]byte) []byte {
	return func(b []byte) []byte {
		random := rand.New(rand.NewPCG(1, uint64(from)))
		for i := from; i < to; i++ {
			b[i] = byte(random.Uint32())
		}
		return b
	}
}

func pageSize(b []byte) int { return int(binary.BigEndian.Uint16(b[16:])) }

func TestEveryPageOfAFileMayBeZeroed(t *testing.T) {
	for _, c := range []struct {
		name string
		img  image
	}{{"ended", shelfImages().ended}, {"killed, partly in its -wal", shelfImages().mixed}} {
		size := pageSize(c.img[""])
		for n := 1; n <= len(c.img[""])/size; n += every {
			t.Run(fmt.Sprintf("page %d of one that was %s", n, c.name), func(t *testing.T) {
				img := c.img.with("", zeroed((n-1)*size, n*size))
				survives(t, img, img)
			})
		}
	}
}
