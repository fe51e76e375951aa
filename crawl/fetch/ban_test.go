package fetch

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

func TestARunOf403sIsABanAndCostsNothingWhenItIsOver(t *testing.T) {
	c := newClient(t, probing())
	var banned atomic.Bool
	var refused atomic.Int64
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if banned.Load() {
			if refused.Add(1) == 12 {
				banned.Store(false)
			}
			w.WriteHeader(http.StatusForbidden)
		}
	})
	first := do(c, Request{URL: s.URL})
	wantPage(t, first)
	c.Good(&first)
	banned.Store(true)
	made, failed := crawlOf(c, s.URL, 30, 1)
	if failed != troubles-1 { // until then each of them was a page that is forbidden
		t.Errorf("%d failed", failed)
	}
	for i, n := range made {
		if n != 1 {
			t.Errorf("task %d: %d attempts", i, n)
		}
	}
	if outages := c.Outages(); len(outages) != 2 || !outages[0].Banned || outages[0].Why != "HTTP 403 Forbidden" {
		t.Errorf("told: %+v", outages)
	}
}

func TestAHostThatForbidsEverythingFromTheBeginningIsNoBan(t *testing.T) {
	c := newClient(t, probing())
	s := answering(t, "404", "403")
	for task := range int64(20) {
		wantFailure(t, do(c, Request{URL: s.URL, Task: task}), ClientFault)
	}
	if len(c.Outages()) != 0 {
		t.Error("it gave nothing before, so nothing is to be waited for")
	}
}

// judged asks for a task and says of its page what it is.
func judged(c *Client, url string, task int64, good bool) (Result, Refusal) {
	r := do(c, Request{URL: url, Task: task})
	if r.Page == nil {
		return r, Refusal{}
	}
	if good {
		c.Good(&r)
		return r, Refusal{}
	}
	return r, c.Blocked(Request{Task: task}, &r, errors.New("a captcha"))
}

func TestARunOfPagesThatAreNotWhatWasWantedIsABan(t *testing.T) {
	o := probing()
	o.MaxDelay, o.Rate = time.Minute, 1e6
	c := newClient(t, o)
	s := answering(t, "200")
	judged(c, s.URL, 1, true)
	for task := int64(2); task < 2+troubles-1; task++ {
		r, refusal := judged(c, s.URL, task, false)
		if refusal.Made != 1 || refusal.Final || refusal.RetryAt.Sub(r.Page.At) != o.MaxDelay {
			t.Fatalf("task %d: %+v", task, refusal)
		}
	}
	if _, refusal := judged(c, s.URL, 9, false); refusal.Made != 0 || refusal.Final { // the one that opens it
		t.Errorf("%+v", refusal)
	}
	if h := c.hosts.all()[0]; h.turn.learned.rate != o.Rate/2 {
		t.Errorf("the rate is %v", h.turn.learned.rate)
	}
	if _, refusal := judged(c, s.URL, 10, false); refusal.Made != 0 || refusal.Final { // a probe
		t.Errorf("%+v", refusal)
	}
	judged(c, s.URL, 11, true)                          // another one, which gets the page
	if r, _ := judged(c, s.URL, 2, true); r.Made != 0 { // 1, and the one of before given back
		t.Errorf("made %d", r.Made)
	}
	if outages := c.Outages(); len(outages) != 2 || outages[0].Why != "a captcha" || !outages[1].Banned {
		t.Errorf("told: %+v", outages)
	}
}

func TestAPageThatIsNeverWhatWasWantedComesToItsEnd(t *testing.T) {
	o := probing()
	o.Attempts, o.MaxDelay = 2, time.Minute
	c := newClient(t, o)
	s := answering(t, "200")
	judged(c, s.URL, 1, true)
	r := do(c, Request{URL: s.URL, Task: 2, Made: 1})
	if refusal := c.Blocked(Request{Task: 2, Made: 1}, &r, errors.New("no")); !refusal.Final || refusal.Made != 1 {
		t.Errorf("%+v", refusal)
	}
}
