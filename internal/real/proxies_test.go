package real

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// A tinyproxy with a password and a dante die and come back, one by one and then both at once, while a crawl goes on:
// it waits by itself and loses nothing, and no task pays for it. Each request has a connection of its own: a dante
// that is stopped goes on serving those that it has.
func TestACrawlOutlivesItsProxies(t *testing.T) {
	onDemand(t)
	t.Setenv("PROXY_PASS", "hunter2")
	tiny, socks := testenv.TinyProxy(t, testenv.Login{User: "ann", Password: "hunter2"}), dante(t)
	site, err := practice.Start(practice.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	c := newCrawl(t, fmt.Sprintf(`
start: %s/v1/product/{1..800}
proxies: ["http://ann:${PROXY_PASS}@%s", socks5://%s]
request: {headers: {Connection: close}}
rate: 400/s
concurrency: 8
records: {fields: {id: {json: $.id, type: int}}}
`, site.URL, tiny.Address(), socks.Address()))
	steps := []struct {
		at int64
		do []func() error
	}{
		{100, []func() error{tiny.Kill}}, {200, []func() error{tiny.Start}}, {300, []func() error{socks.Stop, socks.Start}},
		{400, []func() error{tiny.Stop, socks.Stop}},
	}
	back := false
	c.run(func(done int64) {
		for len(steps) > 0 && done >= steps[0].at {
			for _, do := range steps[0].do {
				if err := do(); err != nil {
					t.Error(err)
				}
			}
			steps = steps[1:]
		}
		if len(steps) == 0 && !back && c.hasSaid("no proxy works any more") {
			back = true
			if err := errors.Join(tiny.Start(), socks.Start()); err != nil {
				t.Error(err)
			}
		}
	})
	if len(steps) > 0 {
		t.Errorf("%d steps were left out", len(steps))
	}
	c.want("800", `SELECT count(*) FROM tasks WHERE state = 'done'`)
	c.want("1", `SELECT max(attempts) FROM tasks`)
	c.want("0", `SELECT count(*) FROM attempts`)
	said := strings.Join(c.said, "\n")
	t.Logf("it said:\n%s", said)
	if !strings.Contains(said, "no proxy works any more") || !strings.Contains(said, "works again") ||
		strings.Contains(said, "hunter2") {
		t.Error("it did not say what it should, or more")
	}
}
