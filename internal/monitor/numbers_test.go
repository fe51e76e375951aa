package monitor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"dogear/state"
)

var epoch = time.Unix(1_700_000_000, 0)

func finished(done, failed int64) Figures {
	return Figures{Tally: state.Tally{Done: done, Failed: failed}}
}

func TestSpeedIsWhatWasFinishedBetweenTwoSamples(t *testing.T) {
	var s samples
	if v := s.speed(); len(v.Done) != 0 || v.Span != 0 || s.now() != 0 {
		t.Errorf("of nothing: %+v", v)
	}
	s.add(epoch, finished(0, 0))
	s.add(epoch.Add(time.Second), finished(10, 1))
	s.add(epoch.Add(3*time.Second), finished(20, 1)) // a tick was left out
	v := s.speed()
	if !slices.Equal(v.Done, []float64{10, 5}) || !slices.Equal(v.Failed, []float64{1, 0}) || v.Span != 3 {
		t.Errorf("%+v", v)
	}
	if now := s.now(); now != 7 {
		t.Errorf("now %v, want 21 in 3 s", now)
	}
	s.add(epoch.Add(12*time.Second), finished(20, 1))
	if now := s.now(); now != 0 { // the last 10 s begin after the second sample
		t.Errorf("after a rest %v", now)
	}
}

func TestSpeedIsRememberedForTenMinutes(t *testing.T) {
	var s samples
	for i := range 1000 {
		s.add(epoch.Add(time.Duration(i)*time.Second), finished(int64(i), 0))
	}
	if v := s.speed(); len(v.Done) != 600 || v.Span != 600 || cap(s.points) > 2000 {
		t.Errorf("%d values over %v s, room for %d", len(v.Done), v.Span, cap(s.points))
	}
}

func TestThereIsNoHundredPercentWhileSomethingIsLeft(t *testing.T) {
	for _, c := range []struct {
		counts state.Counts
		want   float64
	}{
		{state.Counts{}, 100}, {state.Counts{Pending: 1}, 0}, {state.Counts{Done: 99_999, InFlight: 1}, 99.9},
		{state.Counts{Done: 1, Failed: 1, Ahead: 1}, 66.7}, {state.Counts{Failed: 3}, 100},
	} {
		if got := percent(c.counts); got != c.want {
			t.Errorf("%+v: %v, want %v", c.counts, got, c.want)
		}
	}
}

func TestWhatIsCachedIsReadAgainWhenItIsOldOrMustBeFresh(t *testing.T) {
	reads := 0
	c := cached[int]{read: func(context.Context) (int, error) { reads++; return reads, errors.New("half") }}
	get := func(fresh bool, want int) {
		t.Helper()
		if v, err := c.get(t.Context(), fresh); v != want || err == nil {
			t.Errorf("%d, %v; want %d and its error", v, err, want)
		}
	}
	get(false, 1)
	get(false, 1)
	get(true, 2)
	get(false, 2)
	c.until = time.Now()
	get(false, 3)
}

// A crawl of many sites must not make a series of each.
func TestAHundredHostsHaveASeriesAndKeepIt(t *testing.T) {
	var hosts []Host
	c := &runCollector{figures: func() Figures { return Figures{} },
		hosts: func() []Host { return hosts }, shown: map[string]bool{}}
	for i := range 150 {
		hosts = append(hosts, Host{Name: fmt.Sprintf("h%03d.example", 999-i), Rate: 5})
	}
	hosts = append(hosts, Host{Name: "free.example"}, Host{Name: "bad\xff.example", Rate: 1})
	first := c.limited()
	hosts = append([]Host{{Name: "a.example", Rate: 5}}, hosts...)
	hosts[1].Rate = 2
	second := c.limited()
	if len(first) != maxHosts || len(second) != maxHosts || second[0].Name != "h999.example" || second[0].Rate != 2 {
		t.Errorf("%d hosts, then %d, beginning with %+v", len(first), len(second), second[0])
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	if _, err := registry.Gather(); err != nil {
		t.Error(err)
	}
}

func TestAKindThatIsNewIsCountedToo(t *testing.T) {
	m := newMetrics("job\xff", "1")
	m.Exchange("", time.Second)
	m.Exchange("server", time.Second)
	m.Exchange("weird", time.Second)
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]float64{}
	for _, f := range families {
		for _, series := range f.GetMetric() {
			if f.GetName() == "crawler_requests_failed" {
				seen[series.GetLabel()[0].GetValue()] = series.GetCounter().GetValue()
			}
		}
	}
	if seen["server"] != 1 || seen["weird"] != 1 || seen["timeout"] != 0 || len(seen) != len(kinds)+1 {
		t.Errorf("%v", seen)
	}
}
