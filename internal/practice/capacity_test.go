package practice

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// With a clock that only moves when everybody waits, how long an answer takes is exact.
func TestASiteOverItsCapacityIsSlowerOrRefuses(t *testing.T) {
	for _, c := range []struct {
		name          string
		capacity      Capacity
		slowest       time.Duration
		good, refused int
	}{
		{"no limit", Capacity{}, 100 * time.Millisecond, 6, 0},
		{"enough", Capacity{Requests: 6}, 100 * time.Millisecond, 6, 0},
		{"twice as many as it can take", Capacity{Requests: 3}, 200 * time.Millisecond, 6, 0},
		{"twice as many, refused", Capacity{Requests: 3, Refuse: true}, 100 * time.Millisecond, 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(Options{Delay: 100 * time.Millisecond, Capacity: c.capacity})
				began, statuses := time.Now(), make(chan int)
				for range 6 {
					go func() {
						w := httptest.NewRecorder()
						s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/product/1", nil))
						statuses <- w.Code
					}()
					synctest.Wait() // one after the other: it is in flight, or refused
				}
				got := map[int]int{}
				for range 6 {
					got[<-statuses]++
				}
				if took := time.Since(began); got[200] != c.good || got[503] != c.refused || took != c.slowest {
					t.Errorf("%v in %v, want %d good, %d refused in %v", got, took, c.good, c.refused, c.slowest)
				}
			})
		})
	}
}

func TestTheCapacityOfASiteInAnotherProcessCanBeSet(t *testing.T) {
	s := serve(t, Options{})
	r := Remote{URL: s.URL}
	for _, c := range []Capacity{{}, {Requests: 30}, {Requests: 200, Refuse: true}} {
		if err := r.SetCapacity(c); err != nil {
			t.Fatal(err)
		}
		if got := *s.capacity.Load(); got != c {
			t.Errorf("it has %v, want %v", got, c)
		}
	}
	for _, text := range []string{"", "0", "-1", "30:500", "many"} {
		if c, err := ParseCapacity(text); err == nil {
			t.Errorf("%q is %+v", text, c)
		}
	}
}
