package practice

import (
	"bufio"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

func TestCountsAreExactUnder64Goroutines(t *testing.T) {
	const workers, rounds = 64, 60
	for _, products := range []int64{0, 50} { // in the maps, in the array
		s := New(Options{Products: products})
		uris := []string{"/v1/product/1", "/v1/product/50", "/v1/product/51", "/list?page=1", "/list?page=2", "/nothing"}
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for range rounds {
					for _, uri := range uris {
						recorded(s, uri)
					}
				}
			})
		}
		wg.Wait()
		st, sum := s.Stats(), int64(0)
		for _, n := range st.PerSecond {
			sum += n
		}
		const each = workers * rounds
		if total := int64(each * len(uris)); st.Total != total || sum != total || st.InFlight != 0 || st.Paths != len(uris) ||
			st.MaxInFlight < 1 || st.MaxInFlight > workers {
			t.Errorf("%d products: %+v", products, st)
		}
		counts := s.Counts()
		for _, uri := range uris {
			if s.Asked(uri) != each || counts[uri] != each {
				t.Errorf("%d products: %s asked %d times, in the copy %d", products, uri, s.Asked(uri), counts[uri])
			}
		}
		if len(counts) != len(uris) || s.Asked("/never") != 0 {
			t.Errorf("%v", counts)
		}
	}
}

func TestTallyHasTheTimesOfTheFirstAndTheLastRequest(t *testing.T) {
	now := time.Date(2026, 2, 4, 6, 30, 0, 999_000_000, time.UTC)
	first := now
	s := New(Options{Products: 5, Now: func() time.Time { return now }})
	for range 3 {
		recorded(s, "/v1/product/5")
		recorded(s, "/page/1")
		now = now.Add(400 * time.Millisecond)
	}
	for uri, got := range s.Tallies() {
		if got.Count != 3 || !got.First.Equal(first) || !got.Last.Equal(first.Add(800*time.Millisecond)) {
			t.Errorf("%s: %+v", uri, got)
		}
	}
	at := first.Unix()
	if per := s.Stats().PerSecond; len(per) != 2 || per[at] != 2 || per[at+1] != 4 {
		t.Errorf("per second: %v", per)
	}
	if got := s.Tally("/page/2"); got != (Tally{}) {
		t.Errorf("never asked for: %+v", got)
	}
}

func TestMaxInFlightIsHowManyWereThereAtOneTime(t *testing.T) {
	s := serve(t, Options{Faults: []Fault{{Path: "*", Script: "stall:1h*"}}})
	for n := range int64(8) {
		// The first byte of the answer proves that this one is in the handler.
		if _, err := bufio.NewReader(dial(t, s, fmt.Sprint("/page/", n+1))).ReadByte(); err != nil {
			t.Fatal(err)
		}
		if s.InFlight() != n+1 {
			t.Errorf("%d in flight, want %d", s.InFlight(), n+1)
		}
	}
	s.Reset()
	if s.MaxInFlight() != 8 || s.Total() != 0 {
		t.Errorf("after a reset in mid-flight: %+v", s.Stats())
	}
}

func TestQuietCountsTheTotalOnly(t *testing.T) {
	s := New(Options{Products: 10, Quiet: true})
	recorded(s, "/v1/product/1")
	recorded(s, "/page/1")
	if st := s.Stats(); st.Total != 2 || st.Paths != 0 || len(s.Counts()) != 0 || s.Asked("/page/1") != 0 {
		t.Errorf("%+v %v", st, s.Counts())
	}
}

func TestResetForgetsAllCounts(t *testing.T) {
	s := New(Options{Products: 10})
	for range 3 {
		recorded(s, "/v1/product/1")
		recorded(s, "/page/1")
	}
	s.Reset()
	if st := s.Stats(); st.Total != 0 || st.MaxInFlight != 0 || st.Paths != 0 || len(st.PerSecond) != 0 || len(s.Tallies()) != 0 {
		t.Errorf("%+v", st)
	}
	recorded(s, "/v1/product/1")
	if s.Asked("/v1/product/1") != 1 {
		t.Errorf("counting does not go on: %v", s.Counts())
	}
}

func TestFaultsAreCountedAndControlIsNot(t *testing.T) {
	s := serve(t, Options{Faults: []Fault{{Path: "/page/1", Script: "500"}}})
	if status, _ := fetch(t, s.URL+"/page/1"); status != http.StatusInternalServerError {
		t.Fatal(status)
	}
	fetch(t, s.URL+"/_practice/stats")
	if s.Total() != 1 || s.Asked("/page/1") != 1 {
		t.Errorf("%v", s.Counts())
	}
}
