package practice

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestSiteThatIsDownResetsEveryConnection(t *testing.T) {
	s := serve(t, Options{})
	c := &http.Client{Transport: &http.Transport{}}
	defer c.CloseIdleConnections()
	get := func() error {
		resp, err := c.Get(s.URL + "/page/1")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	if err := get(); err != nil {
		t.Fatal(err)
	}
	s.SetDown(true)
	if err := get(); !isReset(err) && !errors.Is(err, io.EOF) {
		t.Errorf("on a connection that was idle: %v", err)
	}
	if b, err := io.ReadAll(dial(t, s, "/page/1")); len(b) > 0 || !isReset(err) {
		t.Errorf("on a new connection: %q, %v", b, err)
	}
	s.SetDown(false)
	if err := get(); err != nil {
		t.Errorf("up again: %v", err)
	}
	if st := s.Stats(); st.Total != 2 || st.Refused < 2 {
		t.Errorf("%+v", st)
	}
}

func TestDelayGoesBeforeTheAnswerAndEndsWithTheClient(t *testing.T) {
	s := New(Options{Delay: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("panicked with %v", p)
		}
		if s.InFlight() != 0 || s.Total() != 1 {
			t.Errorf("%+v", s.Stats())
		}
		s.SetDelay(0)
		if w := recorded(s, "/page/1"); w.Code != http.StatusOK {
			t.Errorf("without delay: %d", w.Code)
		}
	}()
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/page/1", nil))
}

func TestRequestThroughAProxyIsCountedByItsPath(t *testing.T) {
	s := New(Options{})
	recorded(s, "http://practice.invalid/list?page=2")
	if s.Asked("/list?page=2") != 1 {
		t.Errorf("%v", s.Counts())
	}
}

func TestPostWithABodyIsAnsweredAndStallsLikeAnyOther(t *testing.T) {
	s := serve(t, Options{Faults: []Fault{{Path: "/page/1", Script: "ok,stall:1h"}}})
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/page/1", strings.NewReader(strings.Repeat("a=b&", 1000)))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(req)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		}
		cancel()
		_ = resp.Body.Close()
	}
}

func TestCloseEndsWhateverIsGoingOn(t *testing.T) {
	s, err := Start(Options{Faults: []Fault{{Path: "/page/*", Script: "stall:1h*"}, {Path: "/detail/*", Script: "drip:1h*"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"/page/1", "/page/2", "/detail/1"} {
		conn := dial(t, s, uri)
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	dial(t, s, "/robots.txt")
	s.Close()
	s.Close()
	if s.InFlight() != 0 {
		t.Errorf("%+v", s.Stats())
	}
	if _, err := http.Get(s.URL); err == nil {
		t.Error("it still answers")
	}
}

func TestStartSaysWhereItCannotListen(t *testing.T) {
	first := serve(t, Options{})
	_, err := Start(Options{Addr: strings.TrimPrefix(first.URL, "http://")})
	if err == nil || !strings.Contains(err.Error(), "start practice site") {
		t.Errorf("%v", err)
	}
}
