package crawl_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/internal/testenv"
	"dogear/state"
)

// said collects what a run tells the user.
type said struct {
	mu    sync.Mutex
	texts []string
}

func (s *said) warn(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, text)
}

func (s *said) String() string { return strings.Join(s.texts, "\n") }

// Two proxies of three die, and one comes back, while the crawl goes on. No task loses an attempt, and no password is
// kept or said.
func TestProxiesThatComeAndGoCostNoTaskAnAttempt(t *testing.T) {
	t.Setenv("PROXY_PASS", "hunter2@/:#x")
	login := testenv.Login{User: "ann", Password: "hunter2@/:#x"}
	a, b2 := testenv.MicroSocks(t, login), testenv.MicroSocks(t, login)
	b := newBench(t, practice.Options{}, fmt.Sprintf(`
start: SITE/v1/product/{1..600}
proxies: ["socks5://ann:${PROXY_PASS}@%s", "socks5://ann:${PROXY_PASS}@%s", "http://%s"]
rate: 600/s
concurrency: 8
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`, a.Address(), b2.Address(), testenv.TinyProxy(t, testenv.Login{}).Address()))
	says := &said{}
	done := func(n int64) func(crawl.Committed) bool {
		return func(c crawl.Committed) bool { return c.Counts.Done >= n }
	}
	kill := whenCommitted(t, done(150), func() {
		if err := a.Kill(); err != nil {
			t.Error(err)
		}
	})
	swap := whenCommitted(t, done(300), func() {
		if err := a.Start(); err != nil {
			t.Error(err)
		}
		if err := b2.Kill(); err != nil {
			t.Error(err)
		}
	})
	b.run(state.Finished, crawl.Options{Warn: says.warn,
		Watch: func(p *crawl.Progress) { kill(p); swap(p); b.wantHidden("hunter2") }})
	b.want("600 0 1", `SELECT count(*), (SELECT count(*) FROM attempts), max(attempts) FROM tasks WHERE state = 'done'`)
	b.want("600", `SELECT count(*) FROM products`)
	if text := says.String(); !strings.Contains(text, a.Address()) || strings.Contains(text, "hunter2") {
		t.Errorf("said:\n%s", text)
	}
	b.wantHidden("hunter2")
}

// With all proxies gone the tasks are put off; the next run goes on without having lost anything.
func TestARunWithoutAnyProxyLosesNothing(t *testing.T) {
	only := testenv.MicroSocks(t, testenv.Login{})
	b := newBench(t, practice.Options{}, fmt.Sprintf(`
start: SITE/v1/product/{1..40}
proxies: socks5://%s
rate: none
concurrency: 4
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`, only.Address()))
	b.run(state.Stopped, crawl.Options{Limit: 20})
	if err := only.Kill(); err != nil {
		t.Fatal(err)
	}
	says := &said{}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	warn := func(text string) {
		says.warn(text)
		if strings.Contains(text, "no proxy works any more") {
			stop()
		}
	}
	b.runUntil(ctx, state.Interrupted, crawl.Options{Warn: warn})
	b.want("20 20 0", `SELECT sum(state = 'pending'), sum(state = 'done'), (SELECT count(*) FROM attempts) FROM tasks`)
	if n := strings.Count(says.String(), "no proxy works any more"); n != 1 {
		t.Errorf("said %d times:\n%s", n, says)
	}
	if err := only.Start(); err != nil {
		t.Fatal(err)
	}
	b.run(state.Finished, crawl.Options{})
	b.want("40 1", `SELECT count(*), max(attempts) FROM tasks WHERE state = 'done'`)
}
