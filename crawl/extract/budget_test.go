package extract

import (
	"errors"
	"strings"
	"testing"
	"time"

	"dogear/schema"
)

// TestAPageMadeToBeSlowFails: golang/go #76279. The time is none at all, so every page that needs a second look at it
// takes too long; how long they would take otherwise is no matter of a test.
func TestAPageMadeToBeSlowFails(t *testing.T) {
	item := rows(t, "li", text("name", Source{}))
	in := rows(t, "li", text("second", css("b:nth-child(2)")))
	deep := rows(t, "$..*", text("any", js("$..x[*].y")))
	for _, c := range []struct {
		name, body string
		rule       Records
	}{
		{"while it is parsed", strings.Repeat("<html a=1>", 2000), item},
		{"while records are looked for", "<ul>" + strings.Repeat("<b>", 400) + strings.Repeat("<li>", 5000), item},
		{"while fields are looked for", "<li>" + strings.Repeat("<b></b>", 5000), in},
		{"while a JSON document is walked", strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000), deep},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := compile(t, Options{Records: []Records{c.rule}, Timeout: time.Nanosecond})
			wantFailure(t, r, page(c.body), Parse, "takes too long")
			if _, err := r.Extract(page(c.body)); !errors.Is(err, errSlow) {
				t.Errorf("got %v, want %v as the cause", err, errSlow)
			}
		})
	}
}

func TestAPageThatGrowsWithoutEndFails(t *testing.T) {
	word := strings.Repeat("x", 100_000)
	r := compile(t, Options{Records: []Records{rows(t, "div", text("all", Source{}))}})
	wantFailure(t, r, page(strings.Repeat("<div>", 400)+word), Parse, "far more text")
	j := compile(t, Options{Records: []Records{rows(t, "$..*", typed("all", schema.JSON, js("$")))}})
	wantFailure(t, j, page(strings.Repeat("[", 2000)+`"`+word+`"`+strings.Repeat("]", 2000)), Parse, "far more text")
}
