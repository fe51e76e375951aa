package job

import (
	"math"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// settings reads how politely and how long the job asks: request, rate, concurrency, retry, limits, robots.
func (l *loader) settings(m map[string]*node) {
	if n := m["request"]; n != nil {
		l.request(n)
	}
	if n := m["cookies"]; n != nil {
		word, _ := l.choice(n, "cookies", "keep", "off")
		l.job.NoCookies = word == "off"
	}
	if n := m["proxies"]; n != nil {
		l.proxies(n)
	}
	if n := m["rate"]; n != nil {
		l.rate(n)
	}
	if n := m["concurrency"]; n != nil {
		l.concurrency(n)
	}
	if n := m["retry"]; n != nil {
		l.retry(n)
	}
	if n := m["limits"]; n != nil {
		l.limits(n)
	}
	if n := m["robots"]; n != nil {
		if word, ok := l.choice(n, "robots", Obey, Ignore); ok {
			l.job.Robots = word
		}
	}
}

func (l *loader) request(n *node) {
	m := requestKeys.read(l.report, n)
	l.asks = l.asking(m)
	if n := m["timeout"]; n != nil {
		l.setDuration(&l.job.Timeout, n, "timeout")
	}
	headers := m["headers"]
	if headers == nil || headers.kind == broken {
		return
	}
	if headers.kind != dict {
		l.at(headers, "headers is a map of header names and values, not %s", headers.what())
		return
	}
	seen := map[string]*node{}
	for _, e := range headers.entries {
		if !l.again(seen, e) {
			seen[e.key.text] = e.value
			l.header(e)
		}
	}
}

// header reads one request header. What net/http would refuse at the first request is refused here.
func (l *loader) header(e entry) {
	name := e.key.text
	if !httpguts.ValidHeaderFieldName(name) {
		l.at(e.key, "%q can't be the name of a header", shorten(name))
		return
	}
	value, ok := l.text(e.value, "the header "+name)
	if !ok {
		return
	}
	value = strings.TrimSpace(value)
	if !httpguts.ValidHeaderFieldValue(value) {
		l.at(e.value, "the value of the header %s holds a line end or another control character (the value is not shown: it may be secret)", name)
		return
	}
	l.job.Headers = append(l.job.Headers, Header{Name: name, Value: value})
}

// rate reads 5/s or {limit: 500/s, burst: 1000, limiter: bucket}.
func (l *loader) rate(n *node) {
	if n.kind != dict {
		l.rateLimit(n)
		return
	}
	m := rateKeys.read(l.report, n)
	if limit := m["limit"]; limit != nil {
		l.rateLimit(limit)
	}
	r := &l.job.Rate
	if limiter := m["limiter"]; limiter != nil {
		if word, ok := l.choice(limiter, "limiter", Smooth, Bucket, Window); ok {
			r.Limiter = word
		}
	}
	if r.Limiter == Bucket {
		r.Burst = int(max(1, math.Ceil(r.Limit)))
	}
	if burst := m["burst"]; burst != nil {
		if v, ok := l.integer(burst, "burst", 1, math.MaxInt32); ok && r.Limiter == Bucket {
			r.Burst = int(v)
		} else if ok && m["limiter"] == nil {
			l.at(burst, "a burst needs limiter: bucket; the default, smooth, spaces requests evenly")
		} else if ok && m["limiter"].text == Smooth {
			l.at(burst, "limiter: smooth spaces requests evenly and has no burst; limiter: bucket has")
		} else if ok && m["limiter"].text == Window {
			l.at(burst, "limiter: window lets all of its limit through at once and has no burst besides")
		}
	}
}

func (l *loader) rateLimit(n *node) {
	text, ok := l.text(n, "rate")
	if !ok {
		return
	}
	rate, err := ParseRate(text)
	switch {
	case err == nil:
		l.job.Rate = rate
	case n.typed == "a number":
		l.at(n, "%v, not %s: did you mean %s/s?", ErrRate, n.raw, n.raw)
	default:
		l.badValue(n, err)
	}
}

func (l *loader) retry(n *node) {
	m := retryKeys.read(l.report, n)
	r := &l.job.Retry
	if n := m["attempts"]; n != nil {
		if v, ok := l.integer(n, "attempts", 1, 1000); ok {
			r.Attempts = int(v)
		}
	}
	if n := m["delay"]; n != nil {
		l.setDuration(&r.Delay, n, "delay")
		if m["max_delay"] == nil {
			r.MaxDelay = max(r.MaxDelay, r.Delay)
		}
	}
	if n := m["max_delay"]; n != nil {
		l.setDuration(&r.MaxDelay, n, "max_delay")
		if m["delay"] == nil {
			r.Delay = min(r.Delay, r.MaxDelay)
		} else if r.MaxDelay < r.Delay {
			l.at(n, "max_delay is shorter than delay")
		}
	}
	if n := m["max_wait"]; n != nil {
		l.setDuration(&r.MaxWait, n, "max_wait")
	}
}

func (l *loader) limits(n *node) {
	m := limitsKeys.read(l.report, n)
	if n := m["body"]; n != nil {
		if v, ok := l.size(n, "body"); ok {
			l.job.Limits.Body, l.limitedBody = v, true
		}
	}
	if n := m["depth"]; n != nil {
		v, _ := l.integer(n, "depth", 0, math.MaxInt32)
		l.job.Limits.Depth = int(v)
	}
	if n := m["tasks"]; n != nil {
		l.job.Limits.Tasks, _ = l.integer(n, "tasks", 0, math.MaxInt64)
	}
	if n := m["failures"]; n != nil {
		if v, ok := l.share(n, "failures"); ok {
			l.job.Limits.Failures = v
		}
	}
}

func (l *loader) setDuration(d *time.Duration, n *node, what string) {
	if v, ok := l.duration(n, what); ok {
		*d = v
	}
}
