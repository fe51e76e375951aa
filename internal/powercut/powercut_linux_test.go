package powercut

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// `just powercut` runs the test with the numbers of the long form.
var (
	cutsFlag     = flag.Int("powercut.cuts", cutsByDefault, "files rebuilt and checked")
	runsFlag     = flag.Int("powercut.runs", runsByDefault, "of them run to the end")
	productsFlag = flag.Int("powercut.products", 8000, "products in the job")
	seedFlag     = flag.Uint64("powercut.seed", 0, "seed of the cuts; 0: from the clock")
)

// After a power cut at any moment the file is a commit from the floor on, whole, and the same command ends as if
// nothing had happened.
func TestEveryPowerCutLeavesACommit(t *testing.T) {
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", seed)
	shop := openShop(t, *productsFlag)
	want := shop.uninterrupted(t)
	h, state := record(t, shop, *productsFlag)
	h.wantWorthy(t)
	if got, err := outcome(state); err != nil || !slices.Equal(got, want) {
		t.Fatalf("the recorded runs: %v; lacks %s\nhas besides %s", err, brief(missing(want, got)), brief(missing(got, want)))
	}

	p := &proof{shop: shop, floors: newFloors(h, t.TempDir()), seed: seed, want: want}
	wantCaught(t, p.floors)
	random := newRandom(seed)
	cuts := h.cuts(*cutsFlag, random)
	ran := random.Perm(len(cuts))[:min(*runsFlag, len(cuts))]
	counted := map[survival]int{}
	for i, c := range cuts {
		p.try(t, i, c, slices.Contains(ran, i))
		counted[c.survival]++
	}
	t.Logf("%d cuts: %v; %d run to the end", len(cuts), counted, len(ran))
}

// proof is what all cuts have in common.
type proof struct {
	*shop
	*floors
	seed uint64
	want []string // what the job comes to
}

// try makes one power cut and checks what it leaves; run has it run to the end as well.
func (p *proof) try(t *testing.T, i int, c cut, run bool) {
	t.Helper()
	d := p.h.diskAt(c.moment)
	files := d.after(c.survival, p.h.names, newRandom(p.seed+uint64(i)))
	err := checkFiles(t, p.floors, c, files)
	if err == nil && run {
		err = p.runOn(t, c, files)
	}
	if err != nil {
		t.Errorf("seed %d: cut %d at moment %d of %d, %d operations not synced, of which comes through: %v: %v",
			p.seed, i, c.moment, p.h.clock, d.unsynced(), c.survival, err)
	}
}

// wantWorthy fails the test when the history is not one that proves something.
func (h *history) wantWorthy(t *testing.T) {
	t.Helper()
	s := h.sum()
	commits, err := h.answered(walOf(h.names))
	t.Logf("%d operations: %d writes of %d bytes, %d syncs of files and %d of the folder; "+
		"%d commits, %d checkpoints, %d times the WAL removed at an end",
		len(h.ops), s.writes, s.bytes, s.syncs, s.folderSyncs, commits, s.checkpoints, s.atEnd)
	if err != nil {
		t.Fatal(err)
	}
	if s.checkpoints-s.atEnd < 1 || s.atEnd < 2 || commits < 20 {
		t.Fatalf("too little for a proof: want a checkpoint within a run and two at an end")
	}
}

// uninterrupted returns what the job comes to when nothing happens.
func (s *shop) uninterrupted(t *testing.T) []string {
	t.Helper()
	s.anew(t, 0)
	job, state := s.folder(t)
	if code := dogear(t, job, nil); code != exitSomeFailed {
		t.Fatalf("the uninterrupted run ended with %d", code)
	}
	want, err := outcome(state)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

func checkFiles(t *testing.T, f *floors, c cut, files map[string][]byte) error {
	t.Helper()
	folder, err := os.MkdirTemp(f.scratch, "cut")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := put(folder, files); err != nil {
		t.Fatal(err)
	}
	return check(filepath.Join(folder, f.h.names[0]), f.allowed(c.moment))
}

// runOn runs the same command on what a power cut left.
func (p *proof) runOn(t *testing.T, c cut, files map[string][]byte) error {
	t.Helper()
	job, state := p.folder(t)
	if err := put(filepath.Dir(state), files); err != nil {
		t.Fatal(err)
	}
	p.anew(t, 0)
	if code := dogear(t, job, nil); code != exitSomeFailed {
		return fmt.Errorf("run to the end, it ended with %d", code)
	}
	got, err := outcome(state)
	if err != nil || !slices.Equal(got, p.want) {
		return fmt.Errorf("run to the end: %v; it lacks %s\nand has besides %s",
			err, brief(missing(p.want, got)), brief(missing(got, p.want)))
	}
	return p.askedAnew(t, c)
}

// askedAnew is an error when the site was asked for something that the floor has an outcome of.
func (p *proof) askedAnew(t *testing.T, c cut) error {
	t.Helper()
	floor, _, err := p.at(c.moment)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := p.Counts()
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range floor.finished {
		if n := counts[strings.TrimPrefix(url, p.URL)]; n > 0 {
			return fmt.Errorf("run to the end: %s was finished, and was asked for again, %d times", url, n)
		}
	}
	t.Logf("moment %d, %v: %d tasks were finished; to the end %d paths were asked for",
		c.moment, c.survival, len(floor.finished), len(counts))
	return nil
}
