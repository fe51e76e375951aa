package practice

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	asJSON = "application/json"
	asForm = "application/x-www-form-urlencoded"
)

// posted asks the handler itself for a look-up.
func posted(s *Site, kind, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, lookupPath, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	s.ServeHTTP(w, r)
	return w
}

func TestLookupBringsTheProductThatTheBodyNames(t *testing.T) {
	s := New(Options{Products: 50})
	cases := map[string]struct {
		kind, body string
		status     int
	}{
		"JSON":                     {asJSON, `{"id": "7"}`, 200},
		"JSON with its charset":    {asJSON + "; charset=utf-8", `{"more": [1], "id": "7"}`, 200},
		"a form":                   {asForm, "x=1&id=7", 200},
		"a form, encoded":          {asForm + ";charset=UTF-8", "id=%37", 200},
		"an unknown id":            {asJSON, `{"id": "51"}`, 404},
		"an unknown id in a form":  {asForm, "id=abc", 404},
		"an empty id":              {asJSON, `{"id": ""}`, 404},
		"a number":                 {asJSON, `{"id": 7}`, 400},
		"no id":                    {asJSON, `{}`, 400},
		"not JSON":                 {asJSON, `id=7`, 400},
		"no id in a form":          {asForm, "", 400},
		"a form that is not one":   {asForm, "id=%zz", 400},
		"a form, declared as text": {"text/plain", "id=7", 415},
		"no declaration":           {"", `{"id": "7"}`, 415},
	}
	for what, c := range cases {
		t.Run(what, func(t *testing.T) {
			w := posted(s, c.kind, c.body)
			if w.Code != c.status || w.Header().Get("Content-Type") != kindJSON[0] || !json.Valid(w.Body.Bytes()) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if c.status == http.StatusOK && w.Body.String() != string(ProductJSON(7)) {
				t.Errorf("%s", w.Body)
			}
		})
	}
	if n := s.Asked(lookupPath); n != int64(len(cases)) {
		t.Errorf("%d look-ups were counted", n)
	}
}

func TestLookupIsForPOSTAlone(t *testing.T) {
	w := recorded(New(Options{}), lookupPath+"?id=7")
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "POST" || !json.Valid(w.Body.Bytes()) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

// The faults that end in the page have to know the body that was posted.
func TestLookupIsAnsweredAfterAFaultToo(t *testing.T) {
	s := New(Options{Faults: []Fault{{Path: lookupPath, Script: "503,slow:1ms,drip:1ms"}}})
	for i, want := range []int{503, 200, 200, 200} {
		w := posted(s, asJSON, `{"id": "7"}`)
		if w.Code != want || want == 200 && w.Body.String() != string(ProductJSON(7)) {
			t.Errorf("request %d: %d %s", i, w.Code, w.Body)
		}
	}
}

func FuzzAnyLookupGetsAnAnswer(f *testing.F) {
	f.Add(asJSON, `{"id": "7"}`)
	f.Add(asForm, "id=7&id=8")
	f.Add("text/plain; charset=", "")
	s := New(Options{})
	f.Fuzz(func(t *testing.T, kind, body string) {
		if w := posted(s, kind, body); w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q %q: %d %s", kind, body, w.Code, w.Body)
		}
	})
}
