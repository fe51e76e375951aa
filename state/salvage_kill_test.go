package state_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dogear/state"
)

// bigShelf is a job whose salvage takes a while.
func bigShelf(tb testing.TB) *shelf {
	s := newShelf(tb)
	s.pages, s.batch = 400, 300
	return s
}

// salvageShelf opens a damaged file and prints what it tells.
func salvageShelf(path string) error {
	o := bigShelf(&testing.B{}).options(path)
	o.Tell = func(s *state.Salvage) {
		said, err := json.Marshal(s)
		fmt.Println(string(said), err)
	}
	run, err := state.OpenRun(context.Background(), o, later)
	if err != nil {
		return err
	}
	return run.Close(context.Background(), later, state.Interrupted)
}

// Killed at any moment the salvage goes on with the next run, as if nothing had been.
func TestASalvageMayBeKilledAtAnyMoment(t *testing.T) {
	f := newFile(t)
	s := bigShelf(t)
	run := f.open(s.options(f.path))
	s.crawl(t, run, epoch, 1<<60)
	f.close(run, state.Finished)
	img := imageOf(t, f.path).with("", func(b []byte) []byte { return zeroed(40*4096, 60*4096)(b) })

	path := img.write(t)
	took := time.Now()
	quiet := startChild(t, "salvage", path)
	want := quiet.line()
	quiet.kill()
	span := time.Since(took)

	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	kills := 0
	for round := 0; kills < 10 && round < 10; round++ {
		path = img.write(t)
		for over := false; !over; {
			c := startChild(t, "salvage", path)
			time.Sleep(time.Duration(random.Int64N(int64(span)))) // the moment of the kill
			c.cmd.Process.Kill()
			if over = c.lines.Scan(); !over {
				kills++
			} else if got := c.lines.Text(); trimAside(got) != trimAside(want) {
				t.Errorf("after %d kills it says %s\nwant %s", kills, got, want)
			}
			c.kill()
		}
	}
	t.Logf("%d kills", kills)
	f.close(f.open(bigShelf(t).options(path)), state.Interrupted) // may be killed when it was just told
	found, err := filepath.Glob(path + ".damaged-*")
	if err != nil || len(found) != 1 {
		t.Fatalf("set aside: %q, %v", found, err)
	}
	sameAside(t, img, found[0])
	if left, err := filepath.Glob(path + ".salvage*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// trimAside drops the folder of what is said.
func trimAside(said string) string {
	_, rest, _ := strings.Cut(said, `","why"`)
	return rest
}

// What a kill leaves between two steps of a salvage, made by hand: the moments are too short to be hit.
func TestASalvageGoesOnBetweenAnyTwoSteps(t *testing.T) {
	img := shelfImages().mixed.with("", zeroed(9*4096, 10*4096))
	path := img.write(t)
	o := newShelf(t).options(path)
	var told state.Salvage
	var lock, fresh []byte // as they are when the new file has its name
	o.Tell = func(s *state.Salvage) {
		told, lock, fresh = *s, contentOf(t, path+".lock"), contentOf(t, path)
	}
	run, err := state.OpenRun(context.Background(), o, later)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Close(context.Background(), later, ""); err != nil {
		t.Fatal(err)
	}
	var saving map[string]any
	if err := json.Unmarshal(lock, &saving); err != nil {
		t.Fatal(err)
	}
	delete(saving["salvaging"].(map[string]any), "saved")
	begun, err := json.Marshal(saving)
	if err != nil {
		t.Fatal(err)
	}
	begun = append(begun, '\n')
	name := ".damaged-20260203T024000Z"
	for _, c := range []struct {
		name string
		img  image
	}{
		{"nothing is moved yet", image{"": img[""], "-wal": img["-wal"], ".lock": begun}},
		{"the -wal is moved", image{"": img[""], name + "-wal": img["-wal"], ".lock": begun}},
		{"all is moved", image{name: img[""], name + "-wal": img["-wal"], ".lock": begun}},
		{"the new file is half made", image{
			name: img[""], name + "-wal": img["-wal"], ".lock": begun, ".salvage": fresh[:8192], ".salvage-journal": {1},
		}},
		{"the new file is made", image{name: img[""], name + "-wal": img["-wal"], ".lock": lock, ".salvage": fresh}},
		{"the new file has its name", image{name: img[""], name + "-wal": img["-wal"], ".lock": lock, "": fresh}},
	} {
		t.Run(c.name, func(t *testing.T) {
			saved := survives(t, c.img, img)
			saved.Aside = told.Aside
			if *saved != told {
				t.Errorf("it says %+v, want %+v", saved, told)
			}
		})
	}
}

func contentOf(t *testing.T, path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
