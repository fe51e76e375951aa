package extract

import (
	"regexp"
	"time"

	"dogear/schema"
)

// Options says what one kind of page is asked for.
type Options struct {
	Page    string // name of the kind of page, for messages
	Records []Records
	Follow  []Follow
	Expect  Expect
	// Timeout is how long a page may take to take apart; 0: 30 seconds. Only pages made for it take more than a moment.
	Timeout time.Duration
}

// Records is one table to fill from a page.
type Records struct {
	// Each is what one record is: a CSS selector or, with $ first, a JSONPath; one record per match. Empty: the
	// page is one record. Sources are relative to the match.
	Each    string
	Table   *schema.Table // compiled
	Sources []Source      // in the order of Table.Fields
}

// Source is where a value comes from. At most one of CSS (with or without Attr), JSON, Meta and Value is set;
// the zero Source is the text of the element itself.
type Source struct {
	CSS   string  // selector; the first match counts. Empty: the element itself
	Attr  string  // attribute to read instead of the text
	JSON  string  // RFC 9535 path; the first node counts
	Meta  string  // url, final_url, status, fetched_at, param.NAME
	Value *string // this very text
}

// Follow is which links a page contributes.
type Follow struct {
	Source   Source         // CSS or JSON; every match is a link
	Page     string         // the kind of page that the link leads to
	Match    *regexp.Regexp // on the resolved URL; nil: all
	Within   string         // host (default: the page's own host and port), domain (registrable domain), any
	MaxDepth int            // a link that would lie deeper is dropped; 0: no limit
}

// Expect is what a good page looks like.
type Expect struct {
	Status   []int  // accepted statuses; empty: any
	Contains string // CSS selector or, with $ first, JSONPath that must match something
	Absent   string // the same, must match nothing
	Records  *int   // at least this many records must be kept
}

// Page is one answer to take apart.
type Page struct {
	RequestURL  string // as requested
	URL         string // final URL, after redirects
	Status      int
	ContentType string // as in the header, "" when there was none
	Body        []byte // UTF-8
	Charset     string // what Body was decoded from, as the WHATWG names it; "" is UTF-8
	At          time.Time
	Depth       int               // of the page; its links are one deeper
	Params      map[string]string // values of the start's {NAME} parameters
}

// Result is what a page gave.
type Result struct {
	Rows    []schema.Row     // in the order of the rules, then of the page
	Rejects []schema.Reject  // records that failed validation, same order
	Links   []schema.Request // each once, in the order of the rules, then of the page
}
