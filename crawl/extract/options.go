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
	Next    *Next // nil: the page is the last of its kind, or the only one
	Expect  Expect
	// Timeout is how long a page may take to take apart; 0: 30 seconds. Only pages made for it take more than a moment.
	Timeout time.Duration
}

// Selector says what is meant of a page: with CSS an element, with JSON (RFC 9535) a node of a JSON document. With both
// the document is not the page: it stands in the text of what CSS selects, or in its attribute Attr; without CSS in that
// attribute of the element itself. Of several elements it is the first in whose JSON the path finds something.
type Selector struct {
	CSS, Attr, JSON string
}

// Records is one table to fill from a page.
type Records struct {
	// Each is what one record is: one record per match. Each selector but the first selects within the matches of the
	// one before it, and those of the last are the records. Empty: the page is one record. Sources are relative to the
	// match.
	Each    []Selector
	Table   *schema.Table // compiled
	Sources []Source      // in the order of Table.Fields
}

// The values of Source.Take.
const (
	TakeText  = "text"  // what a reader sees
	TakeOwn   = "own"   // the same without what stands in the elements within
	TakeHTML  = "html"  // the HTML within
	TakeOuter = "outer" // the HTML, the element included
)

// Source is where a value comes from. At most one of CSS, Attr and JSON (together a Selector), Meta and Value is set;
// the zero Source is the text of the element itself.
type Source struct {
	CSS   string  // selector; the first match counts. Empty: the element itself
	Attr  string  // attribute to read instead of the text
	JSON  string  // RFC 9535 path; the first node counts
	Meta  string  // url, final_url, status, fetched_at, param.NAME, carry.NAME
	Value *string // this very text
	Up    int     // relative to the match of that many selectors of Each before the last
	Take  string  // of an element; "" is TakeText
	Join  *string // all matches count, with this between them; those without a text are left out
}

// Follow is which links a page contributes.
type Follow struct {
	Each     []Selector     // Source and Carry are relative to each match, as in Records; empty: to the page
	Source   Source         // CSS or JSON; every match is a link
	Carry    Carry          // what the link takes along
	Page     string         // the kind of page that the link leads to
	Match    *regexp.Regexp // on the resolved URL; nil: all
	Within   string         // host (default: the page's own host and port), domain (registrable domain), any
	MaxDepth int            // a link that would lie deeper is dropped; 0: no limit
}

// Carry is what links hand to the pages they lead to, where meta carry.NAME reads it.
type Carry struct {
	Table   *schema.Table // compiled; its fields, all of them texts, are the names. nil: nothing
	Sources []Source      // in the order of Table.Fields
}

// Next is where the page of the same kind is that comes after this one, which takes along what this one was given.
type Next struct {
	Source Source // CSS or JSON; the first match counts
	// URL makes the URL of the value: pieces with the value between them, percent-encoded, relative to the page. Empty:
	// the value is a link.
	URL    []string
	Within string // as in Follow; not asked of a URL that is made
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
	Carry       string            // as in schema.Request: what the page was given on the way
}

// Result is what a page gave.
type Result struct {
	Rows    []schema.Row     // in the order of the rules, then of the page
	Rejects []schema.Reject  // records that failed validation, same order
	Links   []schema.Request // each once, in the order of the rules, then of the page

	Foreign, Empty int // entries of a sitemap that were passed over: of other domains, and without a URL
}
