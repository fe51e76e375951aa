package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
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
			c := start(t, "run", job, "--limit", "1")
			most := peak(c.Process.Pid)
			if code := c.exit(); code != 0 {
				t.Fatalf("exit %d: %s", code, c.said())
			}
			used := <-most / 1024
			t.Logf("%d MB", used)
			if used == 0 || used > 300 {
				t.Errorf("%d MB", used)
			}
		})
	}
}

// peak tells the most memory that a process had, in KiB, when it has ended: VmHWM as last seen. What wait tells counts
// the memory of the process that it was forked from.
func peak(pid int) <-chan int {
	most := make(chan int, 1)
	go func() {
		seen := 0
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, rest, ok := strings.Cut(string(status), "VmHWM:")
			if err != nil || !ok { // it has ended, and keeps no memory any more
				most <- seen
				return
			}
			_, _ = fmt.Sscan(rest, &seen)
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return most
}
