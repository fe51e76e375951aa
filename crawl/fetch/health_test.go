package fetch

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// team are proxies without connections, and their clock.
type team struct {
	*testing.T
	*proxies
	now time.Time
}

func newTeam(t *testing.T, names ...string) *team {
	p := &proxies{recovery: 1, changed: make(chan struct{})}
	for _, name := range names {
		p.list = append(p.list, &proxy{name: name, health: fullHealth})
	}
	return &team{t, p, time.UnixMilli(0)}
}

// take chooses and wants this: a name, "?" after it for a probe, or "" for nobody.
func (m *team) take(avoid *proxy, want string) {
	m.Helper()
	via, probe, _, _ := m.choose(avoid, m.now)
	got := ""
	if via != nil {
		got = via.name
	}
	if probe {
		got += "?"
	}
	if got != want {
		m.Errorf("chose %q, want %q", got, want)
	}
}

func (m *team) fail(i, times int) {
	for range times {
		m.failed(m.list[i], m.list[i].probed, healthLost, errors.New("refused"), m.now)
	}
}

func (m *team) wait(seconds float64) {
	m.now = m.now.Add(time.Duration(seconds * float64(time.Second)))
}

func TestProxiesTakeTurns(t *testing.T) {
	m := newTeam(t, "a", "b", "c")
	for _, want := range []string{"a", "b", "c", "a"} {
		m.take(nil, want)
	}
	m.take(m.list[1], "c") // all but b
	m.take(nil, "a")
}

func TestAProxyIsLeftOutAtHalfItsHealthUntilAProbeComesThrough(t *testing.T) {
	m := newTeam(t, "a", "b")
	m.fail(0, 2)
	m.take(nil, "a") // 60 are enough
	m.fail(0, 1)
	m.take(nil, "b")
	m.take(nil, "b")
	m.fail(0, 5) // what was under way already
	m.wait(10)
	m.take(nil, "b")
	m.wait(0.1)
	m.take(nil, "a?")
	m.take(nil, "b") // one probe at a time
	m.fail(0, 1)
	m.wait(10.1)
	m.take(nil, "b") // a probe that fails costs as much
	m.wait(10)
	m.take(nil, "a?")
	m.worked(m.list[0], m.now)
	m.take(nil, "a")
	m.take(nil, "b")
}

func TestHealthIsWonBySuccessUpToTheFull(t *testing.T) {
	m := newTeam(t, "a")
	m.fail(0, 1)
	for range 10 {
		m.worked(m.list[0], m.now)
	}
	if got := m.healthOf(m.list[0], m.now); got != fullHealth {
		t.Errorf("%v", got)
	}
}

func TestWhenAllAreDownOneProbeAtATimeLooksForTheEnd(t *testing.T) {
	m := newTeam(t, "a", "b")
	m.fail(1, 3)
	m.fail(0, 3)
	via, _, at, changed := m.choose(nil, m.now)
	if via != nil || at.Sub(m.now) < 10*time.Second || at.Sub(m.now) > 11*time.Second {
		t.Fatalf("%v at %v", via, at)
	}
	m.now = at
	m.take(nil, "a?")
	m.take(nil, "b?")
	m.take(nil, "")
	m.release(m.list[1], true) // its call was stopped
	select {
	case <-changed:
	default:
		t.Error("nobody was told to look again")
	}
	m.worked(m.list[0], m.now)
	want := []ProxyEvent{{"b", "refused", false}, {"a", "refused", true}, {"a", "", true}}
	if diff := cmp.Diff(want, m.events); diff != "" {
		t.Errorf("(-want +told)\n%s", diff)
	}
	m.fail(0, 5)
	if diff := cmp.Diff([]ProxyEvent{{"a", "refused", true}}, m.events[3:]); diff != "" { // another outage
		t.Errorf("(-want +told)\n%s", diff)
	}
}

func TestTheURLOfAProxy(t *testing.T) {
	for text, want := range map[string]string{
		"http://10.0.0.1:8080": "10.0.0.1:8080", "https://u:p%40@h:3": "h:3", "socks5://h": "h:1080",
		"socks5h://[::1]:9/": "[::1]:9",
		"http://h":           "h", "10.0.0.1:8080": "", "h:8080": "", "ftp://h:1": "", "http://": "", "http://u:p/w@h:1": "",
		"http://h:1/x":     "",
		"http://u:%zz@h:1": "", "": "",
	} {
		u, err := ParseProxy(text)
		if want == "" && err == nil || want != "" && (err != nil || u.Host != want) {
			t.Errorf("%s: %v, %v", text, u, err)
		}
	}
	if _, err := New(Options{Proxies: []string{"http://ok:1", "hunter2://u:hunter2@h"}}); err == nil ||
		err.Error() != "fetch options: proxy 2: want http://, https:// or socks5:// with host and port" {
		t.Error(err)
	}
}
