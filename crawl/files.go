package crawl

import (
	"time"

	"dogear/crawl/job"
)

// fewestFiles is how many files are kept free for what is not a connection: the state file with its -wal and -shm, a
// backup of it, what the user's terminal has, name servers, whatever a library opens for a moment.
const fewestFiles = 24

// fitFiles lowers the concurrency to what the files that this process may open allow: one for each request in flight,
// one for each connection that is kept for the next. Go has already raised the soft limit to the hard one.
func (p *plan) fitFiles() {
	limit, ok := maxFiles()
	if !ok || limit >= fewestFiles+2*p.concurrency.Max {
		return
	}
	fits := max(1, (limit-fewestFiles)/2)
	p.warn("this process may open only %d files, too few for %d requests at the same time: it makes %d at most "+
		"(ulimit -n shows the limit and raises it)", limit, p.concurrency.Max, fits)
	p.concurrency = job.Concurrency{Min: min(p.concurrency.Min, fits), Max: fits}
}

// spare is the limit after an exchange for which there were no files left, a quarter lower: once for all that fail
// together.
func (e *engine) spare(now time.Time, limit int) int {
	if now.Sub(e.scarce) < time.Second {
		return limit
	}
	lower := max(1, limit-max(1, limit/4))
	if e.scarce.IsZero() {
		e.warn("too many files are open: %d requests at the same time instead of %d from now on, fewer if need be; "+
			"no attempt is lost (ulimit -n shows the limit and raises it)", lower, limit)
	}
	e.scarce = now
	e.window.Max = min(e.window.Max, lower)
	e.window.Min = min(e.window.Min, lower)
	return lower
}
