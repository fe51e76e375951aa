package practice

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRemoteDrivesASite(t *testing.T) {
	s := serve(t, Options{Products: 10})
	r := Remote{URL: s.URL}
	must(t, r.SetFault(Fault{Path: "/v1/product/*", Script: "503:1", Every: 2}))
	for _, uri := range []string{"/v1/product/1", "/v1/product/2", "/v1/product/2", "/page/1"} {
		fetch(t, s.URL+uri)
	}
	counts, err := r.Counts()
	must(t, err)
	if len(counts) != 3 || counts["/v1/product/2"] != 2 || counts["/page/1"] != 1 {
		t.Errorf("counts %v", counts)
	}
	tallies, err := r.Tallies()
	must(t, err)
	if got := tallies["/v1/product/2"]; got.Count != 2 || !got.First.Equal(s.Tally("/v1/product/2").First) || got.Last.Before(got.First) {
		t.Errorf("tallies %v", tallies)
	}
	st, err := r.Stats()
	must(t, err)
	if st.Total != 4 || st.Paths != 3 || len(st.PerSecond) == 0 {
		t.Errorf("stats %+v", st)
	}
	must(t, r.Reset())
	if st, err = r.Stats(); err != nil || st.Total != 0 {
		t.Errorf("after reset %+v, %v", st, err)
	}
	must(t, r.SetFault(Fault{Path: "*", Script: "500*"}))
	must(t, r.ClearFaults())
	if status, _ := fetch(t, s.URL+"/page/1"); status != http.StatusOK {
		t.Errorf("faults cleared: %d", status)
	}
}

func TestRemoteTakesASiteDownAndBringsItBack(t *testing.T) {
	s := serve(t, Options{})
	r := Remote{URL: s.URL}
	must(t, r.SetDown(true))
	must(t, r.SetDelay(time.Millisecond))
	if resp, err := http.Get(s.URL + "/page/1"); err == nil {
		_ = resp.Body.Close()
		t.Errorf("down: %v", resp.Status)
	}
	must(t, r.SetDown(false))
	if status, _ := fetch(t, s.URL+"/page/1"); status != http.StatusOK || s.delay.Load() != int64(time.Millisecond) {
		t.Errorf("up: %d", status)
	}
}

func TestRemoteReportsWhatTheSiteRefuses(t *testing.T) {
	s := serve(t, Options{})
	err := Remote{URL: s.URL}.SetFault(Fault{Path: "/page/1", Script: "boom"})
	if err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("a bad script: %v", err)
	}
	if err := (Remote{URL: "http://127.0.0.1:1"}).Reset(); err == nil {
		t.Error("no site and no error")
	}
}

func TestControlRefusesWhatItDoesNotUnderstand(t *testing.T) {
	s := New(Options{})
	cases := []struct {
		what, method, path, body string
		status                   int
	}{
		{"a mistyped key", "POST", "fault", `{"path":"/","scirpt":"500"}`, 400},
		{"no JSON", "POST", "fault", `500`, 400},
		{"nothing", "POST", "fault", ``, 400},
		{"a delay without a unit", "POST", "site", `{"delay":"5"}`, 400},
		{"another method", "GET", "reset", ``, 404},
		{"another name", "GET", "count", ``, 404},
		{"what it does understand", "POST", "site", `{"delay":"0s","down":false}`, 200},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(c.method, controlPrefix+c.path, strings.NewReader(c.body)))
			if w.Code != c.status || !strings.HasPrefix(w.Body.String(), "{") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}
