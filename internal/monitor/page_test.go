package monitor

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestThePageShowsNumbersWithoutAScriptToo(t *testing.T) {
	d := show(t)
	r, body := d.request(http.MethodGet, "/", nil)
	if r.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Error(r.Header)
	}
	for _, want := range []string{`<span id="percent">20</span>`, `id="pending">8<`, `id="done">1<`, `dogear 1.2.3`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if strings.Contains(body, hostile) || strings.Count(body, "<script") != 1 ||
		!strings.Contains(body, "&lt;script&gt;alert(") {
		t.Errorf("the job's name is not just text:\n%s", body)
	}
}

// What a page needs comes from its own address, or it would show nothing where there is no network.
func TestNothingOnThePageComesFromElsewhere(t *testing.T) {
	for _, name := range []string{"page.html", "page.css", "page.js"} {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"http:", "https:",
			"//cdn", "@import", "url(", "innerHTML", "outerHTML", "insertAdjacentHTML",
			"document.write", "eval(", " style=", "onclick"} {
			if strings.Contains(string(text), bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
}

func TestStatusIsReadOnceForAllWhoAskAtTheSameTime(t *testing.T) {
	d := show(t)
	for range 5 {
		r, body := d.request(http.MethodGet, "/api/status", nil)
		var status map[string]string
		if err := json.Unmarshal([]byte(body), &status); err != nil || status["job"] != hostile {
			t.Errorf("%v: %s", err, body)
		}
		if r.Header.Get("Content-Type") != "application/json" {
			t.Error(r.Header)
		}
	}
	if n := d.reads.Load(); n != 1 {
		t.Errorf("read %d times", n)
	}
}

func TestAStatusThatCantBeReadIsAnError(t *testing.T) {
	d := show(t)
	d.status.err, d.status.until = errors.New("the disk is gone"), d.run.Began.AddDate(1, 0, 0)
	if r, body := d.request(http.MethodGet, "/api/status", nil); r.StatusCode != 500 ||
		!strings.Contains(body, "the disk is gone") {
		t.Errorf("%s: %s", r.Status, body)
	}
}
