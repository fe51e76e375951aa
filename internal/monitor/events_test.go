package monitor

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"dogear/state"
)

// listener is one who reads the events.
type listener struct {
	*testing.T
	answer *http.Response
	lines  *bufio.Scanner
	leave  context.CancelFunc
}

func (d *desk) listen() *listener {
	d.Helper()
	ctx, leave := context.WithCancel(d.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL()+"events", nil)
	if err != nil {
		d.Fatal(err)
	}
	answer, err := d.client.Do(r)
	if err != nil {
		d.Fatal(err)
	}
	l := &listener{d.T, answer, bufio.NewScanner(answer.Body), leave}
	l.lines.Buffer(nil, 1<<20)
	d.Cleanup(func() { leave(); answer.Body.Close() })
	return l
}

// next returns the next event, and its name; nil when there are no more.
func (l *listener) next() (m *moment, name string) {
	l.Helper()
	for l.lines.Scan() {
		line := l.lines.Text()
		if n, ok := strings.CutPrefix(line, "event: "); ok {
			name = n
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			m = &moment{}
			if err := json.Unmarshal([]byte(data), m); err != nil {
				l.Fatalf("%v: %s", err, data)
			}
			return m, name
		}
	}
	return nil, name
}

func TestAMomentHasEverythingThatThePageShows(t *testing.T) {
	d := show(t)
	d.hosts.Store(&[]Host{
		{Name: "idle.example", Rate: 5}, {Name: "a.example",
			Until: time.Now().Add(time.Minute), Why: "it asked to be left alone"},
		{Name: "b.example", Until: time.Now().Add(time.Hour), Why: hostile},
	})
	l := d.listen()
	if got := l.answer.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Error(got)
	}
	m, name := l.next()
	if name != "" || m.Ended != "" || m.Trouble != "" || m.Total != 10 || m.Pending != 8 || m.Percent != 20 ||
		m.Active != 2 || m.Limit != 16 {
		t.Errorf("event %q: %+v", name, m)
	}
	if len(m.Hosts) != 2 || m.Waiting != 2 || m.Hosts[0].Host != "b.example" || m.Hosts[0].Why != hostile ||
		m.Hosts[1].For != 60 {
		t.Errorf("hosts: %+v", m.Hosts)
	}
	if len(m.Failures) != 1 || m.Failures[0].ExampleError != hostile || len(m.Recent) != 2 ||
		!strings.HasSuffix(m.Recent[0].URL, hostile) {
		t.Errorf("failures: %+v; recent: %+v", m.Failures, m.Recent)
	}
	p := m.Tables[0]
	if p.Table != "things" || len(p.Rows) != 2 || strings.Join(p.Columns, " ") != "name n at" || !p.Numbers[1] ||
		p.Numbers[2] {
		t.Fatalf("records: %+v", p)
	}
	if long, old := p.Rows[0], p.Rows[1]; *long[0] != strings.Repeat("é", 200)+"…" || long[1] != nil || long[2] != nil ||
		*old[0] != hostile || *old[1] != "9007199254740993" || *old[2] != "2023-11-14T22:13:20.000Z" {
		t.Errorf("records: %q %q %q", *long[0], *old[0], *old[1])
	}
}

func TestNothingIsReadWhileNobodyListensAndOnceForAll(t *testing.T) {
	d := show(t)
	d.moments.next(func() {})
	if n := d.looks.Load(); n != 0 {
		t.Errorf("%d looks without anybody", n)
	}
	for range maxListeners {
		d.listen().next()
	}
	if n := d.looks.Load(); n < 1 || n > maxListeners/2 { // one, and one more for each second that this takes
		t.Errorf("%d looks for %d who listen", n, maxListeners)
	}
}

func TestTheLastEventSaysHowTheRunEnded(t *testing.T) {
	d := show(t)
	l := d.listen()
	l.next()
	d.figures.Store(&Figures{Counts: state.Counts{Done: 9, Failed: 1}, Active: 2})
	d.close()
	for {
		m, name := l.next()
		if m == nil {
			t.Fatal("it ended without a last event")
		}
		if name != "finished" {
			continue
		}
		if m.Ended != state.Finished || m.Done != 9 || m.Percent != 100 || m.Active != 0 {
			t.Errorf("%+v", m)
		}
		break
	}
	if m, _ := l.next(); m != nil {
		t.Errorf("there is another one: %+v", m)
	}
}

func TestThereAreSeatsForTwentyAndTheyAreGivenBack(t *testing.T) {
	d := show(t)
	var all []*listener
	for range maxListeners {
		l := d.listen()
		l.next()
		all = append(all, l)
	}
	l := d.listen()
	if l.answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("the one after that: %s", l.answer.Status)
	}
	all[0].leave()
	d.seats <- struct{}{} // waits until it is free
	<-d.seats
	if l := d.listen(); l.answer.StatusCode != 200 {
		t.Errorf("after one has left: %s", l.answer.Status)
	}
}

func TestWhoNeverReadsDoesNotHoldUpTheEnd(t *testing.T) {
	d := show(t)
	c, err := net.Dial("tcp", d.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	idle, err := net.Dial("tcp", d.Address()) // and who never asks
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	d.close()
}
