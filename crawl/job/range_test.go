package job

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func rangeOf(t *testing.T, start string) (*Range, bool) {
	t.Helper()
	j, err := Parse("x.yaml", []byte("start: "+start+"\nrate: none\nrecords: {fields: {a: h1}}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return j.Range()
}

func TestAJobsRangeIsTheOneNumberThatVaries(t *testing.T) {
	for _, c := range []struct {
		start string
		has   bool
		after int64
	}{
		{"http://h/{1..20}", true, 21},
		{"{url: 'http://h/{id}', id: 5..50000}", true, 50001},
		{"{url: 'http://h/{id}?again={id}', id: 1..7, order: shuffle}", true, 8},
		{"http://h/{20..1}", true, 21},
		{"http://h/{1..99..7}", true, 106},
		{"http://h/v{3..3}/{1..20}", true, 21},
		{"http://h/{1..20}/v{3..3}", true, 21},
		{"http://h/{5..5}", true, 6},
		{"http://h/{-5..-1}", true, 0},
		{"http://h/{9223372036854775806..9223372036854775807}", true, math.MaxInt64},
		{"[http://h/, 'http://h/{1..20}']", true, 21},
		{"http://h/", false, 0},
		{"http://h/{a,b}", false, 0},
		{"http://h/{a..e}", false, 0},
		{"http://h/{a,b}/{1..20}", false, 0},
		{"http://h/{1..3}/{1..20}", false, 0},
		{"['http://h/a/{1..20}', 'http://h/b/{1..20}']", false, 0},
	} {
		r, ok := rangeOf(t, c.start)
		if ok != c.has {
			t.Errorf("%s: a range: %v", c.start, ok)
		} else if ok && r.After() != c.after {
			t.Errorf("%s: after it comes %d, want %d", c.start, r.After(), c.after)
		}
	}
}

func TestAURLOfTheRangeSaysItsNumber(t *testing.T) {
	r, _ := rangeOf(t, "{url: 'http://h/{id}/x', id: 001..120}")
	for url, want := range map[string]int64{
		"http://h/007/x": 7, "http://h/120/x": 120, "http://h/7/x": -1, "http://h/121/x": -1, "http://h/": -1,
	} {
		if v, ok := r.Value(url, ""); ok != (want >= 0) || ok && v != want {
			t.Errorf("%s: %d, %v", url, v, ok)
		}
	}
	if got := r.Request(7).URL; got != "http://h/007/x" {
		t.Errorf("7 asks for %s", got)
	}
}

// Whatever the order and the direction: what is ahead of a cursor is exactly what the requests from there on ask for.
func TestWhatIsAheadIsWhatComesFromTheCursorOn(t *testing.T) {
	big := int64(3*shuffleBlock + 1000)
	for _, text := range []string{"3..60..3", "60..3..3", fmt.Sprintf("1..%d", big), fmt.Sprintf("%d..1", big)} {
		for _, order := range []string{"", ", order: shuffle"} {
			r, _ := rangeOf(t, fmt.Sprintf("{url: 'http://h/{id}', id: %s%s}", text, order))
			n := r.Len()
			for _, cursor := range []int64{0, 1, n / 3, n/2 + 7, min(n, shuffleBlock), min(n, 2*shuffleBlock), n - 1, n} {
				var want []int64
				for i := cursor; i < n; i++ {
					v, _ := r.Value(r.start.Request(i).URL, "")
					want = append(want, v)
				}
				slices.Sort(want)
				if got := slices.Collect(r.Ahead(cursor)); !slices.Equal(got, want) {
					t.Errorf("%s%s from %d: %d numbers, want %d", text, order, cursor, len(got), len(want))
				}
			}
		}
	}
}

func TestTheLowestAheadOfAnEnormousShuffledRangeIsFoundAtOnce(t *testing.T) {
	r, _ := rangeOf(t, "{url: 'http://h/{id}', id: 1..9000000000000000000, order: shuffle}")
	for v := range r.Ahead(10_000_000) {
		if v != 1 {
			t.Errorf("the lowest is %d", v)
		}
		return
	}
	t.Error("nothing is ahead")
}
