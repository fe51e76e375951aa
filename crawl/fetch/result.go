package fetch

import (
	"net/http"
	"time"
)

// Request is what a task asks for.
type Request struct {
	Method string // "" means GET
	URL    string // fetched as given
	Body   string
	// ContentType is of the body; "" is for none. A Content-Type among Options.Headers comes before it.
	ContentType string
	Task        int64 // tells its tasks apart, for whoever asks for several: a host is away when several find it so
	Accept      []int // statuses that count as a good answer too, such as 404; any 2xx always does
	Made        int   // counted attempts that were already made for this task
	// Scope is asked before each hop of a redirect; its error ends the request for good. nil: redirects may lead anywhere.
	Scope func(url string) error
	// BodyLimit is in the place of Options.BodyLimit when it is not 0.
	BodyLimit int64
	// Unzip unpacks a body that is a gzip file though no header calls that its coding. The limit is that of what is in it.
	Unzip bool
}

// Result is what a call came to: a Page, or a Failure that is final, or neither, and then the task goes back.
type Result struct {
	Page    *Page     // the answer, when there was a good one
	Failure *Failure  // why there is none; final
	RetryAt time.Time // not zero: put the task off until then. Also set when Stopped cut a back-off short
	Waiting *Failure  // with RetryAt: why, when it is no attempt of this request: the robots.txt can't be had
	NoFiles bool      // too many files are open in this process: the task goes back at RetryAt, nothing is lost
	Stopped bool      // ctx or abort ended it: the task goes back, nothing is lost
	// Made is how many counted attempts the call made; throttled and aborted ones are not counted, nor those that failed
	// because the host is away. It has those of earlier calls too that were not counted then, and is negative when some
	// that were turn out to have been the host's fault.
	Made   int
	Failed []Attempt // every failed attempt of this call, also the uncounted

	visit *visit // of the request's host, for Client.Good and Client.Blocked
}

// Page is a good answer, read to its end.
type Page struct {
	URL         string // the final one, after redirects
	Status      int
	Header      http.Header
	ContentType string // as the server sent it; found by looking at the body when it sent none
	Body        []byte // UTF-8 without a byte order mark when it is text, else as sent
	Charset     string // what the text was decoded from, as the WHATWG names it; "" when it is not text
	CharsetFrom string // why: "bom", "header", "meta" (also an XML declaration), "content", "default"; "none": not text
	Replaced    int    // characters that could not be decoded and became U+FFFD
	Size        int64  // bytes of the body after its codings were undone, before UTF-8
	At          time.Time
	Took        time.Duration // of the attempt that brought it, redirects and body included
}

// Attempt is one failed exchange.
type Attempt struct {
	Number int // the counted attempt it was, or would have been if throttled ones were counted; from 1
	At     time.Time
	Status int // 0 when there was no answer
	Kind   Kind
	Err    string // at most about 300 bytes, free of secrets
	Took   time.Duration
}
