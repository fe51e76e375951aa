package cli_test

import (
	"fmt"
	"strings"

	"dogear/internal/practice"
)

const (
	mannersAttempts    = 3
	mannersConcurrency = 32
	mannersRate        = 200 // a second
)

// ending is what a task comes to whose page has this fault.
type ending struct {
	fault       string // the script; ID is the task's id. "": healthy
	state, kind string
	status      int    // 0: there was none
	attempts    int    // counted
	failures    string // the kind of the attempts that failed, counted ones
	throttles   int    // attempts that cost none
	hops        int    // redirects that were followed
	// more is how many attempts more there may be: a fault without any answer is the host's until an answer to another
	// task shows that it is not, and such a task ends with what it was counted, or is tried once more.
	more int
	// fewer: net/http sends a GET again by itself, on whatever connection is next, when one that had been used before is
	// reset without an answer. What it got in the end is all that is seen of it.
	fewer int
	// seldom keeps a fault to one in so many rounds. What was put off is asked for when nothing fresh is left, so at the
	// end of a crawl such tasks come together, and a run of network faults is a host that is away.
	seldom int
}

func (e ending) resets() bool { return strings.HasPrefix(e.fault, "reset") }

// The faults, each of every tenth task in turn. Those that look like a host that is away, or that refuses, are apart.
var mannersFaults = []ending{
	{fault: "404*", state: "failed", kind: "client", status: 404, attempts: 1, failures: "client"},
	{fault: "reset", state: "done", status: 200, attempts: 2, failures: "network", fewer: 1},
	{fault: "500", state: "done", status: 200, attempts: 2, failures: "server"},
	{fault: "captcha", state: "done", status: 200, attempts: 2, failures: "blocked"},
	{fault: "410*", state: "failed", kind: "client", status: 410, attempts: 1, failures: "client"},
	{fault: "cut", state: "done", status: 200, attempts: 2, failures: "network"},
	{fault: "500*2", state: "done", status: 200, attempts: 3, failures: "server"},
	{fault: "slow:300ms", state: "done", status: 200, attempts: 1},
	{fault: "garbage", state: "done", status: 200, attempts: 2, failures: "network"},
	{fault: "403*", state: "failed", kind: "client", status: 403, attempts: 1, failures: "client"},
	{fault: "408", state: "done", status: 200, attempts: 2, failures: "timeout"},
	{fault: "redirect:/v1/product/ID", state: "done", status: 200, attempts: 1, hops: 1},
	{fault: "short", state: "done", status: 200, attempts: 2, failures: "network"},
	{fault: "500*", state: "failed", kind: "server", status: 500, attempts: 3, failures: "server"},
	{fault: "drip:20ms", state: "done", status: 200, attempts: 1},
	{fault: "reset*", state: "failed", kind: "network", attempts: 3, failures: "network", more: 2, seldom: 4},
	{fault: "redirect:/v1/product/1000ID*", state: "done", status: 200, attempts: 1},
	{fault: "stall", state: "done", status: 200, attempts: 2, failures: "timeout"},
	{fault: "big:300000*", state: "failed", kind: "too_large", status: 200, attempts: 1, failures: "too_large"},
	{fault: "cut*", state: "failed", kind: "network", status: 200, attempts: 3, failures: "network"},
	{fault: "captcha*", state: "failed", kind: "blocked", status: 200, attempts: 3, failures: "blocked"},
	{fault: disallowed, state: "failed", kind: "robots"},
	{fault: "garbage*", state: "failed", kind: "network", attempts: 3, failures: "network", more: 2, seldom: 4},
	{fault: "redirect:/v1/product/ID*", state: "failed", kind: "client", status: 302, attempts: 1, failures: "client",
		hops: 10},
	{fault: "408*", state: "failed", kind: "timeout", status: 408, attempts: 3, failures: "timeout"},
	{fault: "short*", state: "failed", kind: "network", status: 200, attempts: 3, failures: "network"},
	{fault: "503", state: "done", status: 200, attempts: 2, failures: "server"},
	{fault: "drip:150ms*", state: "failed", kind: "timeout", status: 200, attempts: 3, failures: "timeout"},
	{fault: "drip:150ms", state: "done", status: 200, attempts: 2, failures: "timeout"},
	{fault: "stall*", state: "failed", kind: "timeout", status: 200, attempts: 3, failures: "timeout"},
}

// The answers that ask for patience come together and seldom: each has the whole host left alone, and its rate halved.
var mannersThrottles = []ending{
	{fault: "503:1", state: "done", status: 200, attempts: 1, throttles: 1},
	{fault: "503:@2", state: "done", status: 200, attempts: 1, throttles: 1},
	{fault: "429:1", state: "done", status: 200, attempts: 1, throttles: 1},
	{fault: "429", state: "done", status: 200, attempts: 1, throttles: 1},
}

// disallowed is no script: robots.txt names the page.
const disallowed = "robots.txt"

var (
	healthy = ending{state: "done", status: 200, attempts: 1}
	// without a rating, which the job requires: the site has none of each 25th product
	rejected = ending{state: "failed", kind: "invalid", status: 200, attempts: 1, failures: "invalid"}
)

// endingOf is what the task of a product comes to, of so many.
func endingOf(id, tasks int) ending {
	apart := max(150, tasks*2/5/50*50)
	at := id % apart
	switch {
	case id%25 == 0:
		return rejected
	case id%10 == 3:
		round, at := id/10/len(mannersFaults), id/10%len(mannersFaults)
		if e := mannersFaults[at]; e.seldom == 0 || round%e.seldom == 0 {
			return e
		}
	case id >= apart && at > 0 && at <= len(mannersThrottles)*2 && at%2 == 0:
		return mannersThrottles[at/2-1]
	}
	return healthy
}

// mannersSite is a site with all of them.
func mannersSite(tasks int) practice.Options {
	o := practice.Options{Robots: "User-agent: *\n"}
	for id := range tasks {
		path := fmt.Sprintf("/v1/product/%d", id+1)
		switch e := endingOf(id+1, tasks); e.fault {
		case "":
		case disallowed:
			o.Robots += "Disallow: " + path + "$\n"
		default:
			o.Faults = append(o.Faults, practice.Fault{Path: path, Script: strings.ReplaceAll(e.fault, "ID", fmt.Sprint(id+1))})
		}
	}
	return o
}
