package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/state"
)

// busy is a job in the middle of its third run.
func busy() *glance {
	status, host := 500, "127.0.0.1:18091"
	g := &glance{
		at: noon, name: "products", path: "/home/li/jobs/products.db", running: true, size: 1_200_000,
		free:     43_000_000_000,
		progress: state.Progress{Total: 2_000, Pending: 924, InFlight: 16, Done: 1_057, Failed: 3},
		run: &state.RunInfo{ID: 3, Host: "vm", PID: 4239, StartedAt: noon.Add(-72 * time.Second), Heartbeat: noon,
			Done: 900, Failed: 2, Retried: 31, Records: 900, Rejects: 12, Bytes: 605_000},
		failures: []state.FailureCount{{Kind: "server", Status: 500, Tasks: 2}, {Kind: "client", Status: 404,
			Tasks: 1}},
		hosts: []state.Host{{Name: host, Rate: 12, LeaveUntil: noon.Add(11 * time.Second)}, {Name: "b.example",
			Rate: 0.5}},
		slowest: []hostTime{{host, 1200 * time.Millisecond}, {"b.example", 34 * time.Millisecond}},
		errors: []state.FailedAttempt{{At: noon.Add(-4 * time.Second), Kind: "server", Status: &status,
			URL: "http://" + host + "/v1/product/333", Error: "HTTP 500 Internal Server Error"},
			{At: noon.Add(-5 * time.Second), Kind: "network", URL: "http://b.example/", Error: "connection refused"}},
		wal: state.WAL{Bytes: 4_100_000},
	}
	for i := range 70 {
		g.ticks = append(g.ticks, state.Tick{At: noon.Add(time.Duration(i-70) * time.Second), Finished: int64(100 + i)})
	}
	return g
}

func TestTheBlockOfAWatcherHasWhatFits(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{119, `
products  [==============================>---------------------------]   53%  1,060/2,000  165/s  ETA 6s
  3 failed  16 in flight  924 pending  13/s overall
  run      3, for 1m12s, pid 4239 on vm
  brought  900 records, 12 rejects, 31 attempts retried, 605 kB read
  rate                              ▅▅▅▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▆▆▆▆▇▇▇▇▇▇▇▇▇▇▇▇█  2 min, peak 169/s
  failed   server 2 (500), client 1 (404)
  hosts    127.0.0.1:18091: left alone for 11 s, rate lowered to 12/s
           b.example: rate lowered to 0.5/s
  slowest  127.0.0.1:18091 1.2s, b.example 34ms
  errors   11:59:56  server  http://127.0.0.1:18091/v1/product/333  HTTP 500 Internal Server Error
           11:59:55  network  http://b.example/  connection refused
  disk     products.db 1.2 MB, WAL 4.1 MB, 43 GB free`},
		{79, `
products  [=================>---------------]   53%  1,060/2,000  165/s  ETA 6s
  3 failed  16 in flight  924 pending  13/s overall
  run      3, for 1m12s, pid 4239 on vm
  brought  900 records, 12 rejects, 31 attempts retried, 605 kB read
  rate                 ▃▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇▇█  2 min, peak 168/s
  failed   server 2 (500), client 1 (404)
  hosts    127.0.0.1:18091: left alone for 11 s, rate lowered to 12/s
           b.example: rate lowered to 0.5/s
  slowest  127.0.0.1:18091 1.2s, b.example 34ms
  errors   11:59:56  server  http://…1/v1/product/333  HTTP 500 Internal Serve…
           11:59:55  network  http://b.example/  connection refused
  disk     products.db 1.2 MB, WAL 4.1 MB, 43 GB free`},
		{59, `
products  [======>------]   53%  1,060/2,000  165/s  ETA 6s
  3 failed  16 in flight  924 pending  13/s overall
  run      3, for 1m12s, pid 4239 on vm
  brought  900 records, 12 rejects, 31 attempts retried, 6…
  rate           ▄▅▅▆▆▆▇▇█  2 min, peak 166/s
  failed   server 2 (500), client 1 (404)
  hosts    127.0.0.1:18091: left alone for 11 s, rate lowe…
           b.example: rate lowered to 0.5/s
  slowest  127.0.0.1:18091 1.2s, b.example 34ms
  errors   11:59:56  server  http…oduct/333  HTTP 500 Inte…
           11:59:55  network  http…example/  connection re…
  disk     products.db 1.2 MB, WAL 4.1 MB, 43 GB free`},
	} {
		got := "\n" + strings.Join(busy().block(screen{width: c.width}, ""), "\n")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s\n%s", c.width, diff, got)
		}
	}
}

func TestNothingOfASiteIsObeyedByTheTerminalThatWatches(t *testing.T) {
	for _, width := range []int{1, 10, 11, 12, 39, 80, 160} {
		for i, text := range hostileTexts {
			g := busy()
			g.name, g.errors[0].URL, g.errors[0].Error, g.errors[1].Kind = text, text, text, text
			g.hosts[0].Name, g.slowest[0].host, g.failures[0].Kind, g.run.Host = text, text, text, text
			for _, line := range g.block(screen{width: width, terminal: true, colour: i%2 == 0}, text) {
				plain := colours.ReplaceAllString(line, "")
				if cellWidth(plain) > width || strings.ContainsAny(plain, "\x1b\r\n\u202e") {
					t.Errorf("%d columns: %d: %.100q", width, cellWidth(plain), plain)
				}
			}
		}
	}
}

func TestASparklineHasTheNewestAtItsEndAndNothingWhereNothingCame(t *testing.T) {
	for _, c := range []struct {
		ticks string // seconds before the end, and how many
		want  string
		peak  float64
	}{
		{"", "          ", 0},
		{"1:10", "         █", 1}, {"10:10", "         █", 1}, {"11:10", "        █ ", 1}, {"100:10", "█         ",
			1}, {"101:10", "          ", 0},
		{"0:10", "          ", 0}, // the second that has only just begun
		{"5:10 15:20 35:40 95:1", "▁     █ ▄▂", 4},
		{"5:7 15:7", "        ██", 0.7},
	} {
		var ticks []state.Tick
		for _, f := range strings.Fields(c.ticks) {
			var back, n int64
			fmt.Sscanf(f, "%d:%d", &back, &n)
			ticks = append(ticks, state.Tick{At: noon.Add(-time.Duration(back) * time.Second), Finished: n})
		}
		line, peak := sparkline(ticks, noon, 100*time.Second, 10)
		if line != c.want || peak != c.peak {
			t.Errorf("%q: %q, peak %v; want %q, %v", c.ticks, line, peak, c.want, c.peak)
		}
	}
}

func TestTheRateOfAWatcherIsThatOfTheLastWholeSeconds(t *testing.T) {
	g := busy()
	if got := g.perSecond(); got != 164.5 {
		t.Errorf("%v", got)
	}
	g.run.StartedAt = noon.Add(-2500 * time.Millisecond) // what an earlier run did does not count
	if got := g.perSecond(); got < 190 || got > 210 {
		t.Errorf("a run of two seconds: %v", got)
	}
	g.ticks = nil
	if got := g.perSecond(); got != 0 {
		t.Errorf("nothing: %v", got)
	}
}
