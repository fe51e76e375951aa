package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/crawl/fetch"
	"dogear/state"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)

// half is a run half way through.
func half() *reading {
	return &reading{
		Committed: crawl.Committed{
			Counts: state.Counts{Pending: 900, InFlight: 40, Done: 1_057, Failed: 3},
			Tally:  state.Tally{Done: 1_057, Failed: 3, Retried: 12},
			Busy:   16, Limit: 16,
		},
		perSecond: 198.4, overall: 187.2, began: noon.Add(-72 * time.Second),
	}
}

// badHosts are in every trouble that there is, not in its order.
func badHosts() []fetch.Standing {
	return []fetch.Standing{
		{Host: "well.example", Rate: 50, Full: 50},
		{Host: "slow.example", Rate: 12.3, Full: 50, Lowered: true},
		{Host: "none.example", Rate: 0.25, Lowered: true},
		{Host: "api.example.com", Rate: 25, Full: 50, Lowered: true, Until: noon.Add(11*time.Second + 1),
			Why: "it asked to be left alone"},
		{Host: "ban.example", Rate: 50, Full: 50, Until: noon.Add(128 * time.Second),
			Outage: fetch.Outage{Banned: true, Why: "HTTP 403 Forbidden", Since: noon.Add(-time.Minute)}},
		{Host: "away.example:8080", Rate: 50, Full: 50, Until: noon.Add(-time.Second),
			Outage: fetch.Outage{Why: "connection refused", Since: noon.Add(-time.Hour)}},
	}
}

func TestTheBlockOfARunHasWhatFitsTheMostImportantFirst(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{119, `
products  [==============================>---------------------------]   53%  1,060/2,000  198/s  ETA 5s
  3 failed  12 retried  16 in flight  187/s overall  1m12s
  away.example:8080: away since 11:00:00, a probe is on its way: connection refused
  ban.example: refuses every request since 11:59:00, next probe in 2m8s: HTTP 403 Forbidden
  api.example.com: waiting 12 s, as it asked, rate lowered to 25/s of 50/s
  and 2 more hosts`},
		{79, `
products  [=================>---------------]   53%  1,060/2,000  198/s  ETA 5s
  3 failed  12 retried  16 in flight  187/s overall  1m12s
  away.example:8080: away since 11:00:00, a probe is on its way: connection re…
  ban.example: refuses every request since 11:59:00, next probe in 2m8s: HTTP…
  api.example.com: waiting 12 s, as it asked, rate lowered to 25/s of 50/s
  and 2 more hosts`},
		{59, `
products  [======>------]   53%  1,060/2,000  198/s  ETA 5s
  3 failed  12 retried  16 in flight  187/s overall  1m12s
  away.example:8080: away since 11:00:00, a probe is on it…
  ban.example: refuses every request since 11:59:00, next…
  api.example.com: waiting 12 s, as it asked, rate lowered…
  and 2 more hosts`},
		{39, `
[====>----]  1,060/2,000  198/s  ETA 5s
  3 failed  12 retried  16 in flight
  away.example:8080: away since 11:00:…
  ban.example: refuses every request s…
  api.example.com: waiting 12 s, as it…
  and 2 more hosts`},
		{19, `
1,060/2,000  198/s
  3 failed
  away.example:808…
  ban.example: ref…
  api.example.com:…
  and 2 more hosts`},
	} {
		got := "\n" + strings.Join(half().runBlock(screen{width: c.width}, "products", troubles(badHosts(), noon),
			noon), "\n")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s\n%s", c.width, diff, got)
		}
	}
}

func TestNoLineOfABlockIsWiderThanTheTerminal(t *testing.T) {
	numbers := []int64{0, 1, 999, 1_000_000, 10_000_000_000}
	for width := 1; width <= 200; width += 1 + width/20 {
		for i, n := range numbers {
			r := half()
			r.Counts.Done, r.Counts.Pending, r.Counts.Failed = n, numbers[(i+2)%len(numbers)],
				numbers[(i+1)%len(numbers)]
			r.Auto, r.Due, r.perSecond = i%2 == 0, noon.Add(time.Duration(n)), float64(n)/3
			hosts := badHosts()
			hosts[5].Host, hosts[5].Outage.Why = "商店.example", hostileTexts[width%len(hostileTexts)]
			s := screen{width: width, colour: i%2 == 0, terminal: true}
			for _, line := range r.runBlock(s, hostileTexts[(width+3)%len(hostileTexts)], troubles(hosts, noon), noon) {
				plain := colours.ReplaceAllString(line, "")
				if cellWidth(plain) > width || strings.ContainsAny(plain, "\x1b\r\n\u202e") {
					t.Errorf("%d columns: %d: %q", width, cellWidth(plain), plain)
				}
			}
		}
	}
}

func TestOnlyACompleteCrawlShowsAHundredPercent(t *testing.T) {
	for _, c := range []struct {
		done, pending int64
		want          string
	}{{0, 0, "100%"}, {2000, 0, "100%"}, {99_999, 1, " 99%"}, {0, 5, "  0%"}, {1, 2, " 33%"}} {
		r := half()
		r.Counts = state.Counts{Done: c.done, Pending: c.pending}
		line := r.runBlock(screen{width: 80}, "products", nil, noon)[0]
		if !strings.Contains(line, c.want) || strings.Contains(line, ">") != (c.pending > 0) {
			t.Errorf("%d done, %d left: %s", c.done, c.pending, line)
		}
	}
}

func TestABlockSaysWhenAllThatIsLeftWasPutOff(t *testing.T) {
	r := half()
	r.Counts.InFlight, r.Busy = 0, 0
	r.Due = time.Now().Add(40 * time.Second)
	block := strings.Join(r.runBlock(screen{width: 80}, "products", nil, time.Now()), "\n")
	if !strings.Contains(block, "ETA ?") || !strings.Contains(block, "next task in 40 s") {
		t.Error(block)
	}
}

func TestColoursAreForWhatFailedAndWhatIsDone(t *testing.T) {
	plain := strings.Join(half().runBlock(screen{width: 80}, "p", troubles(badHosts(), noon), noon), "\n")
	block := strings.Join(half().runBlock(screen{width: 80, colour: true}, "p", troubles(badHosts(), noon), noon), "\n")
	if strings.Contains(plain, "\x1b") || colours.ReplaceAllString(block, "") != plain {
		t.Errorf("without colours:\n%q\nwith:\n%q", plain, block)
	}
	for _, want := range []string{"\x1b[31m3 failed\x1b[0m", "\x1b[32m====", "\x1b[33maway.example:8080:"} {
		if !strings.Contains(block, want) {
			t.Errorf("no %q in %q", want, block)
		}
	}
}

func TestABlockOnATerminalThatBecameNarrowerTakesMoreLines(t *testing.T) {
	block := []string{strings.Repeat("x", 79), "\x1b[31m" + strings.Repeat("红", 20) + "\x1b[0m", "", "short"}
	for width, want := range map[int]int{80: 0, 79: 0, 78: 1, 40: 1, 39: 3, 20: 4} {
		if got := wrapped(block, width); got != want {
			t.Errorf("at %d: %d more lines, want %d", width, got, want)
		}
	}
}
