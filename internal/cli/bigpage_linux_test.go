package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
)

// bigPages are of 10 MB each, with 100,000 things to find.
var bigPages = []struct{ path, kind, before, item, after, rules string }{
	{"/items.html", "text/html", "<ul>",
		`<li class=item><a class=name href="/d/%[1]d">Item number %[1]d</a> <b class=price>$%[1]d.99</b> free</li>` + "\n", "</ul>",
		`records: {each: .item, fields: {name: a.name, price: {css: .price, type: "decimal(10,2)"}, url: {css: a.name@href, type: url}}}`},
	{"/links.html", "text/html", "<ul>",
		`<li class=item><a class=name href="/d/%[1]d">Item number %[1]d</a> <b class=price>$%[1]d.99</b> free</li>` + "\n", "</ul>",
		"follow: {css: a.name@href}\nrecords: {fields: {first: a.name}}"},
	{"/items.json", "application/json", `{"items":[null`,
		`,{"id":%[1]d,"name":"Item number %[1]d","price":"%[1]d.99","tags":["one","two","three","four"]}` + "\n", "]}",
		`records: {each: "$.items[*]", fields: {id: {json: $.id, type: int}, name: $.name, price: {json: $.price, type: "decimal(10,2)"}}}`},
}

func TestAPageOfTenMegabytesAndAHundredThousandMatchesTakesUnder300MB(t *testing.T) {
	for _, p := range bigPages {
		t.Run(p.path, func(t *testing.T) {
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", p.kind)
				_, _ = io.WriteString(w, p.before)
				for i := range 100_000 {
					_, _ = fmt.Fprintf(w, p.item, i)
				}
				_, _ = io.WriteString(w, p.after)
			}))
			defer site.Close()
			job := writeJob(t, "big.yaml", "start: "+site.URL+p.path+"\nlimits: {body: 20MB}\nrobots: ignore\n"+p.rules+"\n")
			c := dogearRun(t, 0, "run", job, "--limit", "1")
			used := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss / 1024
			t.Logf("%d MB", used)
			if used > 300 {
				t.Errorf("%d MB", used)
			}
		})
	}
}
