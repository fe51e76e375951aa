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

// made begins with a file that is there for certain; its last moment is 3, so the next line is of moment 4.
const made = "1 open(\"/s/a\", O_CREAT) = 3</s/a>\n1 fsync(4</s>) = 0\n"

func TestADiskHonoursSyncsAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name, trace string
		cut         int // -1: the end
		kind        survival
		want        []string
	}{
		{"a synced write is there", made + `1 pwrite64(3</s/a>, "xy", 2, 0) = 2` + "\n1 fsync(3</s/a>) = 0\n", -1, torn, []string{`"a":"xy"`}},
		{"before the sync has ended it need not be", made + `1 pwrite64(3</s/a>, "xy", 2, 0) = 2` + "\n1 fsync(3</s/a>) = 0\n", 7, subset, []string{`"a":""`, `"a":"xy"`}},
		{"a write that has begun may be there", made + `1 pwrite64(3</s/a>, "xy", 2, 0) = 2`, 5, everything, []string{`"a":"xy"`}},
		{"one that has not is not", made + `1 pwrite64(3</s/a>, "xy", 2, 0) = 2`, 4, everything, []string{`"a":""`}},
		{"a file of a folder that is not synced may be absent", `1 open("/s/a", O_CREAT) = 3</s/a>` + "\n" + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n1 fsync(3</s/a>) = 0\n",
			-1, subset, []string{``, `"a":"x"`}},
		{"a removed one may come back", made + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n1 fsync(3</s/a>) = 0\n1 unlink(\"/s/a\") = 0\n", -1, subset, []string{``, `"a":"x"`}},
		{"not after the folder was synced", made + "1 unlink(\"/s/a\") = 0\n1 fsync(4</s>) = 0\n", -1, subset, []string{``}},
		{"made again it may be the old one, none, or the new one", made + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n1 fsync(3</s/a>) = 0\n1 unlink(\"/s/a\") = 0\n" +
			`1 open("/s/a", O_CREAT) = 3</s/a>` + "\n" + `1 pwrite64(3</s/a>, "y", 1, 0) = 1` + "\n1 fsync(3</s/a>) = 0\n", -1, subset, []string{``, `"a":"x"`, `"a":"y"`}},
		{"a write that ends after the sync began is not covered", made + `2 pwrite64(3</s/a>, "x", 1, 0 <unfinished ...>` + "\n1 fsync(3</s/a> <unfinished ...>\n" +
			"2 <... pwrite64 resumed>) = 1\n1 <... fsync resumed>) = 0\n", -1, subset, []string{`"a":""`, `"a":"x"`}},
		{"a sync that a kill ended covers nothing", made + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n1 fsync(3</s/a>) = ?\n", -1, subset, []string{`"a":""`, `"a":"x"`}},
		{"nothing", made + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n1 ftruncate(3</s/a>, 3) = 0\n", -1, nothing, []string{`"a":""`}},
		{"everything", made + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n1 ftruncate(3</s/a>, 3) = 0\n", -1, everything, []string{`"a":"x.."`}},
		{"a prefix", made + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n" + `1 pwrite64(3</s/a>, "y", 1, 1) = 1`, -1, prefix, []string{`"a":""`, `"a":"x"`, `"a":"xy"`}},
		{"any subset", made + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n" + `1 pwrite64(3</s/a>, "y", 1, 1) = 1`, -1, subset, []string{`"a":""`, `"a":".y"`, `"a":"x"`, `"a":"xy"`}},
		{"all but one", made + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n" + `1 pwrite64(3</s/a>, "y", 1, 1) = 1`, -1, allButOne, []string{`"a":".y"`, `"a":"x"`, `"a":"xy"`}},
		{"a write is torn at any byte", made + `1 pwrite64(3</s/a>, "xyz", 3, 0) = 3`, -1, torn, []string{`"a":""`, `"a":"..."`, `"a":"x"`, `"a":"xy"`, `"a":"xyz"`}},
		{"the size alone", made + `1 pwrite64(3</s/a>, "xyz", 3, 0) = 3`, -1, sizes, []string{`"a":""`, `"a":"..."`, `"a":"xyz"`}},
		{"a truncation may be lost", made + `1 pwrite64(3</s/a>, "xyz", 3, 0) = 3` + "\n1 fsync(3</s/a>) = 0\n1 ftruncate(3</s/a>, 1) = 0\n", -1, torn, []string{`"a":"x"`, `"a":"xyz"`}},
		{"files are independent", made + `1 open("/s/b", O_CREAT) = 5</s/b>` + "\n1 fsync(4</s>) = 0\n" + `1 pwrite64(3</s/a>, "x", 1, 0) = 1` + "\n" + `1 pwrite64(5</s/b>, "y", 1, 0) = 1`,
			-1, prefix, []string{`"a":"" "b":""`, `"a":"" "b":"y"`, `"a":"x" "b":""`, `"a":"x" "b":"y"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			slices.Sort(c.want)
			if diff := cmp.Diff(c.want, outcomes(t, c.trace, c.cut, c.kind)); diff != "" {
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
		seen[fmt.Sprint(len(content), content[500], content[511], content[512], content[1023], content[1024], content[1099])] = true
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
	for _, s := range outcomes(t, made+`1 pwrite64(3</s/a>, "xyz", 3, 0) = 3`+"\n1 fsync(3</s/a>) = 0\n"+`1 pwrite64(3</s/a>, "123", 3, 3) = 3`, -1, junk) {
		if !strings.HasPrefix(s, `"a":"xyz`) {
			t.Errorf("what was synced is gone: %s", s)
		}
	}
}
