package fetch

import (
	"slices"
	"sync"
	"time"
)

// The health of a proxy: it begins with all of it, and is used while it has more than enough. What is lost comes back
// with time, Options.ProxyRecovery points a second.
const (
	fullHealth   = 100
	enoughHealth = 50
	healthWon    = 5
	healthLost   = 20
	healthSpent  = 5 // for a connection that was good and broke: sites do that too
)

// proxies are what a client asks through, one after the other. A proxy that loses its health is down: it is left out
// until one request, the probe, has come through. All of them down is an outage, and nobody asks anything but the
// probe.
type proxies struct {
	list     []*proxy
	recovery float64 // points of health per second

	mu      sync.Mutex
	next    int           // where the next choice begins
	changed chan struct{} // closed when somebody who waits should look again
	out     bool          // an outage
	events  []ProxyEvent  // not told yet
}

// ProxyEvent is something about proxies that the user should know.
type ProxyEvent struct {
	Proxy string // host and port
	Why   string // it is down; "": it works again
	All   bool   // with Why: no other one works; without: it ends an outage
}

// proxy is one of them. What is below name belongs to the lock of proxies.
type proxy struct {
	name string // host and port: no credentials
	pool roundTripper
	http bool // else SOCKS

	login bool // it is told a user and a password

	health float64 // at the time since
	since  time.Time
	down   bool
	probed bool // a probe is on its way
	told   bool // the user knows that it has been down
}

// healthOf is what a proxy has by now.
func (p *proxies) healthOf(x *proxy, now time.Time) float64 {
	return min(fullHealth, x.health+p.recovery*max(0, now.Sub(x.since).Seconds()))
}

// choose returns the proxy whose turn it is, and whether the request through it is its probe. avoid is taken only
// when no other one is left. When there is none at all, at is when it is worth asking again; earlier when changed is
// closed.
func (p *proxies) choose(avoid *proxy, now time.Time) (via *proxy, probe bool, at time.Time, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.list {
		if x.down && !x.probed && p.healthOf(x, now) > enoughHealth {
			x.probed = true
			return x, true, now, nil
		}
	}
	for range 2 {
		for range p.list {
			x := p.list[p.next]
			p.next = (p.next + 1) % len(p.list)
			if !x.down && x != avoid {
				return x, false, now, nil
			}
		}
		avoid = nil
	}
	return nil, false, p.recovered(now), p.changed
}

// recovered is when the first proxy will be worth a probe.
func (p *proxies) recovered(now time.Time) time.Time {
	first := now.Add(time.Minute) // all of them are being probed
	for _, x := range p.list {
		if lacks := enoughHealth - p.healthOf(x, now); !x.probed {
			at := now.Add(time.Duration(lacks/p.recovery*float64(time.Second)) + time.Millisecond)
			first = earliest(first, at)
		}
	}
	return first
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// any returns the next proxy, whatever its health.
func (p *proxies) any() *proxy {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = (p.next + 1) % len(p.list)
	return p.list[p.next]
}

// others tells whether another proxy could be used.
func (p *proxies) others(than *proxy) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.list, func(x *proxy) bool { return x != than && !x.down })
}

// worked says that an answer came through a proxy.
func (p *proxies) worked(x *proxy, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x.health, x.since = min(fullHealth, p.healthOf(x, now)+healthWon), now
	if !x.down {
		return
	}
	x.down, x.probed = false, false
	if p.out {
		p.events = append(p.events, ProxyEvent{Proxy: x.name, All: true})
	}
	p.out = false
	p.wake()
}

// failed says that a proxy did not do what it is for. Of one that is down already only the probe counts: what was sent
// before says nothing new.
func (p *proxies) failed(x *proxy, probe bool, lost float64, why error, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x.down && !probe {
		return
	}
	x.health, x.since = max(0, p.healthOf(x, now)-lost), now
	if probe {
		x.probed = false
		p.wake()
	}
	if x.down || x.health > enoughHealth {
		return
	}
	x.down = true
	all := !p.out && !slices.ContainsFunc(p.list, func(x *proxy) bool { return !x.down })
	if all || !x.told {
		p.events = append(p.events, ProxyEvent{Proxy: x.name, Why: short(why.Error()), All: all})
	}
	x.told, p.out = true, p.out || all
}

// release ends a probe that has found out nothing.
func (p *proxies) release(x *proxy, probe bool) {
	if !probe {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	x.probed = false
	p.wake()
}

func (p *proxies) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// ProxyEvents returns what happened to proxies since the last call.
func (c *Client) ProxyEvents() []ProxyEvent {
	p := c.proxies
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	events := p.events
	p.events = nil
	return events
}
