package job

import (
	"time"

	"dogear/schema"
)

// Job is a job file, checked: every selector and expression in it compiles, every name in it leads somewhere.
type Job struct {
	Path string // as given
	Name string // the file's stem when the file names none
	// Text is the file as given, before ${NAME} is filled in: it goes into the state file and holds no secret.
	Text        []byte
	Starts      []Start
	Headers     []Header      // sent with every request, in file order
	Timeout     time.Duration // of one attempt, body included
	NoCookies   bool          // those of sites are neither kept nor sent
	Proxies     []string      // URLs to ask through, in turn; they may hold passwords
	Rate        Rate          // per host
	Concurrency Concurrency   // requests at the same time
	Retry       Retry
	Pages       []Page    // at least one; the only kind of a job without pages: is called "page"
	Sitemaps    []Sitemap // kinds of page besides those, for starts that are sitemaps
	Limits      Limits
	Robots      string // Obey or Ignore

	tables  []*schema.Table
	columns []wanted // for meta: param.NAME, of which only a CSV can tell
	named   []*Start // those with {NAME} parameters

	disguise disguise // values that Starts keep as ${NAME}
	shrouds  shrouds  // the same, and those in headers, for pages that are kept
	meaning  []string
	env      func(string) (string, bool) // looks ${NAME} up
	dotenv   func() *Error               // what was wrong with the .env, once something was looked up in it; may be nil
}

// Header is one request header. Its value may be a secret.
type Header struct{ Name, Value string }

// The limiters of a Rate: evenly spaced; Burst at once and then at the rate; never more within any Per than the rate says.
const (
	Smooth = "smooth"
	Bucket = "bucket"
	Window = "window"
)

// The values of Job.Robots: what a host's robots.txt disallows is not asked for, or the file is not even read.
const (
	Obey   = "obey"
	Ignore = "ignore"
)

// Rate is how fast a host is asked.
type Rate struct {
	Limit   float64       // requests per second and host; 0: no limit
	Burst   int           // how many may come at once with Bucket; 1 with the others
	Limiter string        // Smooth, Bucket or Window
	Per     time.Duration // the unit it was written in: a second, a minute or an hour; 0: there is no limit
}

// Retry is how often and when a failed attempt is made again.
type Retry struct {
	Attempts        int           // of one task, the first included
	Delay, MaxDelay time.Duration // back-off: after the first failure, and at most
	MaxWait         time.Duration // the longest wait that a host may ask for
}

// Limits end what gets out of hand. 0 is no limit, for Depth and Tasks.
type Limits struct {
	Body  int64 // bytes of one page's body
	Depth int   // links between a start and a page
	Tasks int64 // tasks in all
	// Failures is the share of the tasks that finished last, 0 to 1, of which more failing ones stop the run.
	Failures float64
}

// Page returns the kind of page of that name.
func (j *Job) Page(name string) (*Page, bool) {
	for i := range j.Pages {
		if j.Pages[i].Name == name {
			return &j.Pages[i], true
		}
	}
	return nil, false
}

// Tables returns the record tables in file order, each once: pages that fill the same table share it.
func (j *Job) Tables() []*schema.Table { return j.tables }

// Params returns the values of the {NAME} parameters of the start that this URL and body come from, by name; nil when no
// start with parameters yields them.
func (j *Job) Params(url, body string) map[string]string {
	for _, s := range j.named {
		if values := s.params(url, body); values != nil {
			return values
		}
	}
	return nil
}
