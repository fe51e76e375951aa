package fetch

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func TestAStatusCostsWhatItsKindSays(t *testing.T) {
	tests := []struct {
		statuses []int
		kind     Kind
		requests int64 // with 3 attempts
	}{
		{[]int{500, 502, 503, 504, 507, 520, 524, 527, 529, 599}, Server, 3},
		{[]int{408, 425}, Timeout, 3},
		{[]int{400, 401, 403, 404, 405, 410, 418, 451, 300, 304, 305, 501, 505, 506, 510, 600, 999}, ClientFault, 1},
	}
	o := quick()
	o.Attempts = 3
	c := newClient(t, o)
	for _, test := range tests {
		for _, status := range test.statuses {
			t.Run(fmt.Sprint(status), func(t *testing.T) {
				s := answering(t, fmt.Sprint(status))
				result := do(c, Request{URL: s.URL})
				failure := wantFailure(t, result, test.kind)
				if failure.Status != status || s.hits.Load() != test.requests || result.Made != int(test.requests) {
					t.Errorf("status %d after %d requests, made %d", failure.Status, s.hits.Load(), result.Made)
				}
				if len(result.Failed) != result.Made || result.Failed[len(result.Failed)-1].Number != result.Made {
					t.Errorf("failed attempts: %+v", result.Failed)
				}
			})
		}
	}
}

func TestAnAcceptedStatusIsAGoodAnswer(t *testing.T) {
	s := answering(t, "404")
	if page := wantPage(t, do(newClient(t, quick()), Request{URL: s.URL, Accept: []int{200, 404}})); page.Status != 404 {
		t.Errorf("got %+v", page)
	}
}

func TestAFailureThatPassesIsFollowedByThePage(t *testing.T) {
	s := answering(t, "500", "408", "200")
	result := do(newClient(t, quick()), Request{URL: s.URL})
	wantPage(t, result)
	if result.Made != 3 || len(result.Failed) != 2 {
		t.Fatalf("got %+v", result)
	}
	first, second := result.Failed[0], result.Failed[1]
	if first.Kind != Server || first.Status != 500 || first.Number != 1 || first.Err != "HTTP 500 Internal Server Error" || first.At.IsZero() {
		t.Errorf("first: %+v", first)
	}
	if second.Kind != Timeout || second.Status != 408 || second.Number != 2 {
		t.Errorf("second: %+v", second)
	}
}

func TestAttemptsMadeBeforeCount(t *testing.T) {
	for made, want := range map[int]int64{0: 4, 3: 1, 4: 1, 9: 1} {
		s := answering(t, "500")
		wantFailure(t, do(newClient(t, quick()), Request{URL: s.URL, Made: made}), Server)
		if s.hits.Load() != want {
			t.Errorf("%d made before: %d requests, want %d", made, s.hits.Load(), want)
		}
	}
}

// scrapy #3849, #6837: Retry-After is obeyed, and being told to wait is no failed attempt.
func TestThrottlingCostsNoAttempt(t *testing.T) {
	for _, answer := range []string{"429", "429 Retry-After=0.001", "429 Retry-After=-1", "429 Retry-After=soon", "503 Retry-After=0.001"} {
		t.Run(answer, func(t *testing.T) {
			s := answering(t, answer, answer, answer, answer, answer, answer, "200")
			result := do(newClient(t, fast()), Request{URL: s.URL})
			wantPage(t, result)
			if result.Made != 1 || len(result.Failed) != 6 || result.Failed[5].Kind != Throttled || result.Failed[5].Number != 1 {
				t.Errorf("got %+v", result)
			}
		})
	}
}

// browsertrix PR #1123: a task is not throttled for ever.
func TestACallThatIsThrottledWithoutEndHandsItsTaskBack(t *testing.T) {
	s := answering(t, "429 Retry-After=0")
	before := time.Now()
	result := do(newClient(t, fast()), Request{URL: s.URL})
	if !result.RetryAt.After(before) || result.Failure != nil || result.Stopped || result.Made != 0 || s.hits.Load() != maxThrottles {
		t.Errorf("got %+v after %d requests", result, s.hits.Load())
	}
}

func TestALongWaitIsHandedBackInsteadOfSlept(t *testing.T) {
	tests := []struct {
		answer string
		wait   time.Duration
		made   int
	}{
		{"429 Retry-After=30", 30 * time.Second, 0},
		{"503 Retry-After=30", 30 * time.Second, 0},
		{"500 Retry-After=30", 30 * time.Second, 1}, // obeyed, but an attempt
		{"429 Retry-After=86400", 10 * time.Minute, 0},
		{"429 Retry-After=99999999999999999999999", 10 * time.Minute, 0},
		{"429 Retry-After=Fri, 31 Dec 9999 23:59:59 GMT", 10 * time.Minute, 0},
	}
	for _, test := range tests {
		t.Run(test.answer, func(t *testing.T) {
			s := answering(t, test.answer)
			before := time.Now()
			result := do(newClient(t, quick()), Request{URL: s.URL})
			after := time.Now()
			if result.RetryAt.Before(before.Add(test.wait)) || result.RetryAt.After(after.Add(test.wait)) || result.Made != test.made {
				t.Errorf("got %+v", result)
			}
			if result.Failure != nil || result.Page != nil || result.Stopped || len(result.Failed) != 1 {
				t.Errorf("got %+v", result)
			}
		})
	}
}

func TestALongBackOffIsHandedBackToo(t *testing.T) {
	s := answering(t, "500")
	o := quick()
	o.Delay, o.MaxDelay = time.Minute, time.Hour
	result := do(newClient(t, o), Request{URL: s.URL})
	if result.RetryAt.IsZero() || result.Made != 1 || s.hits.Load() != 1 {
		t.Errorf("got %+v", result)
	}
}

func TestBackOffGrowsAsTheKindSays(t *testing.T) {
	o := Options{Delay: time.Second, MaxDelay: time.Minute}
	tests := []struct {
		kind   Kind
		retry  int
		jitter float64
		want   time.Duration
	}{
		{Network, 1, 0.5, time.Second},
		{Network, 1, 0, 750 * time.Millisecond},
		{Server, 3, 0.5, 4 * time.Second},
		{Server, 3, 1, 5 * time.Second},
		{Server, 7, 0.5, time.Minute},
		{Server, 1 << 40, 1, time.Minute},
		{Throttled, 2, 0.5, 2 * time.Second},
		{Timeout, 3, 0.9, 3 * time.Second},
		{Timeout, 1 << 40, 0, time.Minute},
	}
	for _, test := range tests {
		if got := o.backOff(test.kind, test.retry, test.jitter); got != test.want {
			t.Errorf("%s, retry %d, jitter %v: %v, want %v", test.kind, test.retry, test.jitter, got, test.want)
		}
	}
}

// scrapy #6660: a retry pays the rate like any other request.
func TestEveryAttemptPaysTheRate(t *testing.T) {
	s := answering(t, "500", "429", "408", "200")
	c := newClient(t, quick())
	paid := &counting{}
	host, _ := newTarget(&Request{URL: s.URL})
	c.hosts.get(host.host).turn.limiter = paid
	wantPage(t, do(c, Request{URL: s.URL}))
	if paid.n != 4 || s.hits.Load() != 4 {
		t.Errorf("%d turns for %d requests", paid.n, s.hits.Load())
	}
}

// counting is a limiter that only counts.
type counting struct{ n int }

func (c *counting) reserve() time.Duration { c.n++; return 0 }

func TestAFailedAnswerLeavesItsConnectionUsable(t *testing.T) {
	seen := map[string]bool{}
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		seen[r.RemoteAddr] = true
		http.Error(w, "sorry", http.StatusInternalServerError)
	})
	wantFailure(t, do(newClient(t, quick()), Request{URL: s.URL}), Server)
	if len(seen) != 1 {
		t.Errorf("%d connections for 4 attempts", len(seen))
	}
}
