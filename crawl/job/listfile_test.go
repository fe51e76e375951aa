package job

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// GNU parallel --resume goes by line numbers, and runs the wrong things when its input changed. Identity is content.
func TestAListGoesOnWhereItWasLeftUnlessWhatWasReadIsAnotherTextNow(t *testing.T) {
	const url, csv = "{from: list}", `{from: list, url: "https://a.example/{a}{b}"}`
	line := func(n int) string { return fmt.Sprintf("https://a.example/%d\n", n) }
	abc := line(1) + line(2) + line(3)
	for _, c := range []struct {
		name, start, text string
		read              int // requests, before it changes
		now, want         string
		more              int64
		changed, end      bool
	}{
		{name: "the same", start: url, text: abc, read: 2, now: abc, want: "3", more: 1},
		{name: "read to its end", start: url, text: abc, read: 3, now: abc, end: true},
		{name: "grown", start: url, text: abc, read: 3, now: abc + line(4), want: "4", more: 1},
		{name: "changed behind the place", start: url, text: abc, read: 1, now: line(1) + line(7) + "# x\n", want: "7", more: 2},
		{name: "changed before the place", start: url, text: abc, read: 2, now: line(7) + line(2) + line(3), want: "7|2|3", more: 3, changed: true},
		{name: "a line put in front", start: url, text: abc, read: 2, now: line(0) + abc, want: "0|1|2|3", more: 4, changed: true},
		{name: "shorter", start: url, text: abc, read: 3, now: line(1) + line(2), want: "1|2", more: 2, changed: true},
		{name: "empty now", start: url, text: abc, read: 3, now: "", changed: true},
		{name: "its last line had no end, and has gone on", start: url, text: strings.TrimSpace(abc), read: 3, now: strings.TrimSpace(abc) + "0\n", want: "1|2|30", more: 3, changed: true},
		{name: "its last line had no end, and got one", start: url, text: strings.TrimSpace(abc), read: 3, now: abc + line(4), want: "4", more: 2},
		{name: "a CSV", start: csv, text: "a,b\n1,\"x\ny\"\n2,z\n", read: 1, now: "a,b\n1,\"x\ny\"\n2,z\n3\n", want: "2z|!5 1 fields, and the header has 2", more: 2},
		{name: "a CSV whose columns changed", start: csv, text: "a,b\n1,x\n2,y\n", read: 2, now: "b,a\n1,x\n2,y\n", want: "x1|y2", more: 2, changed: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := listJob(t, c.start, "", map[string]string{"list": c.text})
			l := j.Starts[0].List()
			f, err := l.Open(0, "")
			if err != nil {
				t.Fatal(err)
			}
			for range c.read {
				if _, err := f.Next(); err != nil {
					t.Fatal(err)
				}
			}
			place, print := f.Place(), f.Print()
			f.Close()
			if err := os.WriteFile(l.path, []byte(c.now), 0o644); err != nil {
				t.Fatal(err)
			}
			if f, err = l.Open(place, print); err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if f.Changed != c.changed || f.End != c.end || f.More != c.more {
				t.Errorf("changed %v, end %v, %d more", f.Changed, f.End, f.More)
			}
			if got := readAll(f.ListReader); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			// What was read in two goes has the print of what is read in one.
			whole, err := l.Open(0, "")
			if err != nil {
				t.Fatal(err)
			}
			defer whole.Close()
			if readAll(whole.ListReader); whole.Print() != f.Print() || whole.Place() != f.Place() {
				t.Errorf("prints differ: %s at %d, %s at %d", whole.Print(), whole.Place(), f.Print(), f.Place())
			}
		})
	}
}

func TestAFileIsTheSameEntryWhateverIsInIt(t *testing.T) {
	entry := func(start string) string { return listJob(t, start, "", nil).Starts[0].Entry() }
	seen := map[string]string{}
	for _, start := range []string{
		"{from: a.txt}", "{from: b.txt}", "{from: -}", "{from: 'a b.txt'}", "{from: a.txt, url: 'https://a.example/{id}'}",
		"{from: a.txt, url: 'https://b.example/{id}'}", "{from: a.txt, url: 'https://a.example/{id}', request: {method: PUT}}",
		"{from: a.txt, url: 'https://a.example/{id}', request: {form: {q: x}}}", "{from: '${SECRET}.txt'}", "{from: '${BIG}.txt'}",
	} {
		if e := entry(start); seen[e] != "" || strings.Contains(e, secrets["SECRET"]) {
			t.Errorf("%s and %s are %q", start, seen[e], e)
		} else {
			seen[e] = start
		}
	}
	if a, b := entry("{from: a.txt}"), entry("\n  as: page\n  from: 'a.txt' # ours"); a != b {
		t.Errorf("%q and %q", a, b)
	}
}
