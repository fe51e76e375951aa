package practice

import (
	"fmt"
	"strings"
	"testing"
)

// statuses asks n times and returns the statuses, or "…" for what has none.
func statuses(s *Site, uri string, n int) string {
	var got []string
	for range n {
		got = append(got, fmt.Sprint(recorded(s, uri).Code))
	}
	return strings.Join(got, " ")
}

func TestScriptIsGivenInOrderThenThePageIsHealthy(t *testing.T) {
	cases := []struct{ what, script, want string }{
		{"each answer once", "500,503:2,ok,404", "500 503 200 404 200 200"},
		{"several times", "500*3,429:1", "500 500 500 429 200 200"},
		{"for ever", "403*", "403 403 403 403 403 403"},
		{"once and then for ever", "ok,502*", "200 502 502 502 502 502"},
		{"spaces do no harm", " 500 , 502 ", "500 502 200 200 200 200"},
		{"redirects", "redirect:/page/1,308:/page/1", "302 308 200 200 200 200"},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			s := New(Options{Faults: []Fault{{Path: "/page/2", Script: c.script}}})
			if got := statuses(s, "/page/2", 6); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestEveryPathHasTheScriptToItself(t *testing.T) {
	s := New(Options{Faults: []Fault{{Path: "/page/*", Script: "500,502"}}})
	for _, uri := range []string{"/page/1", "/page/2"} {
		if got := statuses(s, uri, 3); got != "500 502 200" {
			t.Errorf("%s: %s", uri, got)
		}
	}
	if got := statuses(s, "/detail/1", 1); got != "200" {
		t.Errorf("another path: %s", got)
	}
}

func TestShareOfTheIdsFails(t *testing.T) {
	s := New(Options{Products: 100, Faults: []Fault{{Path: "/v1/product/*", Script: "500", Every: 10}}})
	failed := 0
	for id := 1; id <= 100; id++ {
		got, want := statuses(s, fmt.Sprint("/v1/product/", id), 2), "200 200"
		if id%10 == 0 {
			want = "500 200"
			failed++
		}
		if got != want {
			t.Errorf("product %d: %s", id, got)
		}
	}
	if failed != 10 {
		t.Errorf("%d failed", failed)
	}
}

func TestShareLeavesPathsWithoutANumberAlone(t *testing.T) {
	s := New(Options{Faults: []Fault{{Path: "*", Script: "500", Every: 5}}})
	for uri, want := range map[string]string{"/": "200", "/robots.txt": "200", "/list?page=5": "500", "/list?page=6": "200", "/page/10": "500", "/page/0": "404"} {
		if got := statuses(s, uri, 1); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
}

func TestFaultsCanBeReplacedAndTakenBack(t *testing.T) {
	s := New(Options{})
	set := func(f Fault) {
		t.Helper()
		if err := s.SetFault(f); err != nil {
			t.Fatal(err)
		}
	}
	set(Fault{Path: "/page/1", Script: "500*"})
	set(Fault{Path: "/page/*", Script: "502*"})
	if got := statuses(s, "/page/1", 2) + " " + statuses(s, "/page/2", 1); got != "500 500 502" {
		t.Errorf("the first that was set goes first: %s", got)
	}
	set(Fault{Path: "/page/1", Script: "404"})
	if got := statuses(s, "/page/1", 3); got != "404 502 502" {
		t.Errorf("replaced, and over: %s", got)
	}
	set(Fault{Path: "/page/*"})
	if got := statuses(s, "/page/1", 1); got != "200" {
		t.Errorf("taken back: %s", got)
	}
	set(Fault{Path: "*", Script: "500*"})
	s.ClearFaults()
	if got := statuses(s, "/page/1", 1); got != "200" {
		t.Errorf("all taken back: %s", got)
	}
}

func TestGlob(t *testing.T) {
	cases := []struct {
		pattern, s string
		want       bool
	}{
		{"/page/1", "/page/1", true}, {"/page/1", "/page/12", false}, {"/page/1", "/page", false},
		{"/page/*", "/page/", true}, {"/page/*", "/page/1/2?x", true}, {"/page/*", "/pag", false},
		{"*", "/", true}, {"*/1", "/page/1", true}, {"*/1", "/page/12", false},
		{"/a*c*e", "/abcde", true}, {"/a*c*e", "/abde", false}, {"/a*a", "/a", false},
		{"/list?page=*", "/list?page=3", true},
	}
	for _, c := range cases {
		if got := glob(c.pattern, c.s); got != c.want {
			t.Errorf("glob(%q, %q) = %v", c.pattern, c.s, got)
		}
	}
}

func TestBadFaultsAreRefused(t *testing.T) {
	bad := []Fault{
		{Path: "", Script: "500"}, {Path: "page/1", Script: "500"}, {Path: "/", Script: "500", Every: -1},
		{Path: "/", Script: "500,"}, {Path: "/", Script: "600"}, {Path: "/", Script: "100"}, {Path: "/", Script: "boom"},
		{Path: "/", Script: "slow"}, {Path: "/", Script: "slow:soon"}, {Path: "/", Script: "slow:-1s"}, {Path: "/", Script: "drip:x"},
		{Path: "/", Script: "stall:x"}, {Path: "/", Script: "redirect"}, {Path: "/", Script: "302"}, {Path: "/", Script: "big:-1"},
		{Path: "/", Script: "big"}, {Path: "/", Script: "cut:5"}, {Path: "/", Script: "500*x"}, {Path: "/", Script: "500*0"}, {Path: "/", Script: "429:@x"},
	}
	for _, f := range bad {
		s := New(Options{})
		if err := s.SetFault(f); err == nil {
			t.Errorf("%+v is accepted", f)
		}
		if got := statuses(s, "/", 1); got != "200" {
			t.Errorf("%+v is refused and in force: %s", f, got)
		}
		if _, err := Start(Options{Faults: []Fault{f}}); err == nil {
			t.Errorf("Start accepts %+v", f)
		}
	}
}

func FuzzScript(f *testing.F) {
	for _, s := range []string{"500,500,ok", "429:2", "503:@2*3", "redirect:/x", "slow:50ms*", "big:100,cut,short,stall:1s", ",", "*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		steps, err := parseScript(script)
		if err == nil && len(steps) == 0 {
			t.Error("no steps and no error")
		}
		for _, st := range steps {
			if st.times == 0 || st.times < forEver || st.wait < 0 || st.size < 0 {
				t.Errorf("%q: %+v", script, st)
			}
		}
	})
}
