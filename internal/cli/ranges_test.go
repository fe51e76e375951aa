package cli

import (
	"fmt"
	"slices"
	"testing"
)

func TestNumbersInAnyOrderBecomeRanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []int64
		want   []interval
	}{
		{"none", nil, nil},
		{"in order", []int64{1042, 1043, 1044, 1050}, []interval{{1042, 1044}, {1050, 1050}}},
		{"backwards", []int64{3, 2, 1}, []interval{{1, 3}}},
		{"a gap that closes", []int64{1, 3, 2}, []interval{{1, 3}}},
		{"twice the same", []int64{5, 5, 6, 5}, []interval{{5, 6}}},
		{"the ends of what can be counted", []int64{-1 << 63, 1<<63 - 1}, []interval{{-1 << 63, -1 << 63}, {1<<63 - 1, 1<<63 - 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s intervals
			for _, v := range c.values {
				s.add(v)
			}
			if got := s.lowest(20); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestHoweverManyStretchesThereAreTheLowestAreKept(t *testing.T) {
	var s intervals
	for v := int64(1_000_000); v > 0; v-- {
		if v%4 != 0 {
			s.add(v)
		}
		if len(s.kept)+len(s.fresh) > 3*maxIntervals {
			t.Fatalf("it keeps %d stretches", len(s.kept)+len(s.fresh))
		}
	}
	if got := s.lowest(2); !slices.Equal(got, []interval{{1, 3}, {5, 7}}) {
		t.Errorf("the lowest are %v", got)
	}
}

func TestAGapTellsRangesUrlsAndHowManyMore(t *testing.T) {
	var g gap
	for i := range 25 {
		g.add(fmt.Sprint("https://a.example/", i), nil)
		g.add("-", map[string]string{"id": fmt.Sprintf("%03d", 90+2*i), "lang": "de"})
	}
	g.add("-", map[string]string{"id": "091", "lang": "de"})
	g.settle()
	if g.Tasks != 51 || len(g.URLs) != 20 || len(g.Ranges) != 20 || g.More != 5+4 {
		t.Errorf("%d tasks, %d URLs, %d ranges, %d more", g.Tasks, len(g.URLs), len(g.Ranges), g.More)
	}
	if got := g.Ranges[0].String(); got != "id 090-092 (lang de)" {
		t.Errorf("the first is %q", got)
	}
}

func TestWithMoreGroupsThanAreKeptAllTasksAreCounted(t *testing.T) {
	var g gap
	for i := range 3 * maxGroups {
		g.add("-", map[string]string{"page": "1", "city": fmt.Sprint("c", i)})
	}
	g.settle()
	if g.Tasks != 3*maxGroups || len(g.groups) > maxGroups || g.More != 3*maxGroups-20 {
		t.Errorf("%d tasks, %d groups, %d more", g.Tasks, len(g.groups), g.More)
	}
}
