package fetch

import (
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

// host is what is kept of a host while the process lives: its turn, and the policies that every call to it runs under.
type host struct {
	turn     *turn
	breaker  *breaker
	executor failsafe.Executor[*call] // shared: it is copied, with the context, for each execution
}

func newHost(name string, o *Options, retry retrypolicy.RetryPolicy[*call]) *host {
	h := &host{turn: newTurn(o)}
	h.breaker = newBreaker(name, o, h.turn)
	room := bulkhead.NewBuilder[*call](uint(o.Concurrency)).WithMaxWaitTime(math.MaxInt64).Build()
	h.executor = failsafe.With[*call](retry, gate{h}, routing{}, h.turn, room)
	return h
}

// pleased takes what a good answer says of the host's patience.
func (h *host) pleased(a *answer, now time.Time) {
	h.turn.learned.good(now)
	if wait := spent(a.header, now, h.breaker.options.MaxWait); wait > 0 {
		h.breaker.leaveUntil(now.Add(wait), now)
	}
}

// newRetry makes the policy that asks a call whether there is to be another attempt, and after what wait. How many
// and how long differs by kind of failure and by what the server asked, so the call decides (call.failed) and the
// policy has no limit of its own.
func newRetry() retrypolicy.RetryPolicy[*call] {
	return retrypolicy.NewBuilder[*call]().
		WithMaxRetries(-1).
		HandleIf(func(c *call, _ error) bool { return c != nil && c.again }). // nil: an inner policy gave up
		WithDelayFunc(func(e failsafe.ExecutionAttempt[*call]) time.Duration { return e.LastResult().wait }).
		Build()
}

// hosts makes a host on first use. Its map is guarded by mu; what is in it is never replaced.
type hosts struct {
	options *Options
	retry   retrypolicy.RetryPolicy[*call]

	mu sync.RWMutex
	by map[string]*host
}

func (h *hosts) get(key string) *host {
	h.mu.RLock()
	found := h.by[key]
	h.mu.RUnlock()
	if found != nil {
		return found
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.by[key] == nil {
		h.by[key] = newHost(key, h.options, h.retry)
	}
	return h.by[key]
}

// all returns the hosts there are.
func (h *hosts) all() []*host {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return slices.Collect(maps.Values(h.by))
}
