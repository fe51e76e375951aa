package powercut

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outcomes are all different contents of the folder that a trace may leave, in 2,000 tries of each kind of survival.
func outcomes(t *testing.T, trace string, cut int, kinds ...survival) []string {
	t.Helper()
	h := newHistory("/s", "a", "b")
	if err := h.add(strings.NewReader(trace)); err != nil {
		t.Fatal(err)
	}
	if cut < 0 {
		cut = h.clock
	}
	random := newRandom(1)
	var all []string
	for _, kind := range kinds {
		for range 2000 {
			files := h.diskAt(cut).after(kind, h.names, random)
			s := strings.Trim(strings.ReplaceAll(fmt.Sprintf("%q", files), `\x00`, "."), "map[]")
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	slices.Sort(all)
	return all
}

// Lines of traces. made is a file that is there for certain; its last moment is 3, so the next line is of moment 4.
const (
	openA    = `1 open("/s/a", O_CREAT) = 3</s/a>` + "\n"
	openB    = `1 open("/s/b", O_CREAT) = 5</s/b>` + "\n"
	folder   = "1 fsync(4</s>) = 0\n"
	made     = openA + folder
	x        = `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n"
	y        = `1 pwrite64(3</s/a>, "y", 1, 1) = 1` + "\n"
	xyz      = `1 pwrite64(3</s/a>, "xyz", 3, 0) = 3` + "\n"
	inB      = `1 pwrite64(5</s/b>, "y", 1, 0) = 1` + "\n"
	synced   = "1 fsync(3</s/a>) = 0\n"
	unlinked = "1 unlink(\"/s/a\") = 0\n"
	longer   = "1 ftruncate(3</s/a>, 3) = 0\n"
	shorter  = "1 ftruncate(3</s/a>, 1) = 0\n"
	overlap  = `2 pwrite64(3</s/a>, "x", 1, 0 <unfinished ...>` + "\n1 fsync(3</s/a> <unfinished ...>\n" +
		"2 <... pwrite64 resumed>) = 1\n1 <... fsync resumed>) = 0\n"
)

func TestADiskHonoursSyncsAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name, trace string
		cut         int // -1: the end
		kind        survival
		want        string // all that may be there, sorted
	}{
		{"a synced write is there", made + x + synced, -1, torn, `"a":"x"`},
		{"before the sync has ended it need not be", made + x + synced, 7, subset, `"a":"" | "a":"x"`},
		{"a write that has begun may be there", made + x, 5, everything, `"a":"x"`},
		{"one that has not is not", made + x, 4, everything, `"a":""`},
		{"a file of a folder that is not synced may be absent", openA + x + synced, -1, subset, ` | "a":"x"`},
		{"a removed one may come back", made + x + synced + unlinked, -1, subset, ` | "a":"x"`},
		{"not after the folder was synced", made + unlinked + folder, -1, subset, ``},
		{"made again it may be the old one, none, or the new one",
			made + x + synced + unlinked + openA + y + synced, -1, subset, ` | "a":".y" | "a":"x"`},
		{"a write that ends after the sync began is not covered", made + overlap, -1, subset, `"a":"" | "a":"x"`},
		{"a sync that a kill ended covers nothing", made + x + "1 fsync(3</s/a>) = ?\n", -1, subset, `"a":"" | "a":"x"`},
		{"nothing", made + x + longer, -1, nothing, `"a":""`},
		{"everything", made + x + longer, -1, everything, `"a":"x.."`},
		{"a prefix", made + x + y, -1, prefix, `"a":"" | "a":"x" | "a":"xy"`},
		{"any subset", made + x + y, -1, subset, `"a":"" | "a":".y" | "a":"x" | "a":"xy"`},
		{"all but one", made + x + y, -1, allButOne, `"a":".y" | "a":"x" | "a":"xy"`},
		{"a write is torn at any byte", made + xyz, -1, torn, `"a":"" | "a":"..." | "a":"x" | "a":"xy" | "a":"xyz"`},
		{"the size alone", made + xyz, -1, sizes, `"a":"" | "a":"..." | "a":"xyz"`},
		{"a truncation may be lost", made + xyz + synced + shorter, -1, torn, `"a":"x" | "a":"xyz"`},
		{"files are independent", made + openB + folder + x + inB, -1, prefix,
			`"a":"" "b":"" | "a":"" "b":"y" | "a":"x" "b":"" | "a":"x" "b":"y"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(outcomes(t, c.trace, c.cut, c.kind), " | ")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestATornWriteKeepsOrLosesWholeSectorsOfTheDisk(t *testing.T) {
	o := &op{kind: write, at: 500, data: bytes.Repeat([]byte{'x'}, 600)} // sectors of 12, 512 and 76 bytes
	random, seen := newRandom(1), map[string]bool{}
	for range 200 {
		content := o.someSectors(nil, random)
		first, second, third := content[500:512], content[512:1024], content[1024:]
		seen[fmt.Sprint(len(content), first[0], first[11], second[0], second[511], third[0], third[75])] = true
	}
	if len(seen) != 8 {
		t.Errorf("three sectors come through in %d ways, want 8: %v", len(seen), seen)
	}
	for s := range seen {
		var size, a, b, c, d, e, f int
		fmt.Sscan(s, &size, &a, &b, &c, &d, &e, &f)
		if size != 1100 || a != b || c != d || e != f {
			t.Errorf("a sector is torn: %s", s)
		}
	}
}

func TestJunkStandsOnlyWhereNothingWasWritten(t *testing.T) {
	const after = `1 pwrite64(3</s/a>, "123", 3, 3) = 3`
	for _, s := range outcomes(t, made+xyz+synced+after, -1, junk) {
		if !strings.HasPrefix(s, `"a":"xyz`) {
			t.Errorf("what was synced is gone: %s", s)
		}
	}
}
