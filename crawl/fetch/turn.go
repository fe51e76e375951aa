package fetch

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/common"
	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"golang.org/x/time/rate"
)

// limiter hands out permits ahead of time: the caller may use the one it got after the wait.
type limiter interface{ reserve() time.Duration }

type smooth struct{ ratelimiter.RateLimiter[any] }

func (s smooth) reserve() time.Duration { return s.ReservePermit() }

type bucket struct{ *rate.Limiter }

func (b bucket) reserve() time.Duration { return b.Reserve().Delay() }

// newLimiter makes the limiter of one host; nil when there is no limit.
func newLimiter(o *Options) limiter {
	switch {
	case o.Rate == 0 || o.Limiter == Window:
		return nil
	case o.Limiter == Bucket:
		return bucket{rate.NewLimiter(rate.Limit(o.Rate), o.Burst)}
	}
	// Rounded up, so that the rate is never exceeded; bounded, so that an interval is neither zero, which
	// failsafe-go takes for a bursty limiter, nor overflows.
	const year = 365 * 24 * time.Hour
	interval := math.Ceil(float64(time.Second) / o.Rate)
	return smooth{ratelimiter.NewSmoothWithMaxRate[any](time.Duration(min(interval, float64(year))))}
}

// turn is a host's permission to send, a failsafe-go policy. One belongs to each host; it is shared by all that ask it.
type turn struct {
	limiter limiter               // the configured rate; nil: none, or a window
	asked   atomic.Pointer[asked] // what the host's robots.txt asks for; the slower of the two counts
	learned *learned
	window  *window // nil: Options.Limiter is another
}

func newTurn(o *Options) *turn {
	t := &turn{limiter: newLimiter(o), learned: newLearned(o.Rate)}
	if o.Rate > 0 && o.Limiter == Window {
		t.window = newWindow(o.Rate, o.Period)
	}
	return t
}

// asked is a Crawl-delay.
type asked struct {
	limiter
	delay time.Duration
}

// slowDown has at least delay between two requests from now on; false when it is so already.
func (t *turn) slowDown(delay time.Duration) bool {
	for {
		was := t.asked.Load()
		if was != nil && was.delay >= delay {
			return false
		}
		if t.asked.CompareAndSwap(was, &asked{smooth{ratelimiter.NewSmoothWithMaxRate[any](delay)}, delay}) {
			return true
		}
	}
}

// reserve takes the next place and returns how far away it is.
func (t *turn) reserve() time.Duration {
	wait := time.Duration(0)
	if t.limiter != nil {
		wait = t.limiter.reserve()
	}
	if asked := t.asked.Load(); asked != nil {
		wait = max(wait, asked.reserve())
	}
	return wait
}

// wait returns when one request may be sent, or errStopped as soon as a context ends.
func (t *turn) wait(ctx, abort context.Context) error {
	if wait := t.reserve(); wait > 0 {
		if err := sleep(ctx, abort, wait, nil); err != nil {
			return err
		}
	}
	return t.learned.wait(ctx, abort)
}

// place waits for a place in the host's window, if it has one. That is the last thing before sending, when there is
// room already: a place that waited for the room of one that waits for a place would wait for ever. The slot must land.
func (t *turn) place(ctx, abort context.Context) (*slot, error) {
	if t.window == nil {
		return nil, nil
	}
	return t.window.take(ctx, abort)
}

// ToExecutor makes a turn a failsafe.Policy. It has no state per execution, so it is its own executor.
func (t *turn) ToExecutor(*call) any { return t }

// Apply makes every attempt wait for its turn.
func (t *turn) Apply(inner execution) execution {
	return func(exec failsafe.Execution[*call]) *common.PolicyResult[*call] {
		// The abort of the call is not known here; whoever aborts has stopped before.
		if err := t.wait(exec.Context(), exec.Context()); err != nil {
			return &common.PolicyResult[*call]{Error: err, Done: true}
		}
		return inner(exec)
	}
}
