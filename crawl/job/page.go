package job

import (
	"regexp"

	"dogear/schema"
)

// Page is a kind of page and its rules.
type Page struct {
	Name    string
	Records []Records
	Follow  []Follow
	Expect  Expect
}

// Records says how records of one table stand on a page.
type Records struct {
	Each     string // selector of the element that each record stands in; "": the page is one record
	EachJSON bool   // Each is JSONPath (RFC 9535), not a CSS selector
	Table    *schema.Table
	Sources  []Source // where each field's text is, in the order of Table.Fields
}

// Source is where a text is found: exactly one of CSS (with or without Attr), Attr alone, JSON, Meta and Value.
type Source struct {
	CSS   string  // selector of an element, whose text is meant, or its attribute Attr
	Attr  string  // an attribute; with CSS "" that of the record's element itself
	JSON  string  // JSONPath (RFC 9535)
	Meta  string  // url, final_url, status, fetched_at or param.NAME
	Value *string // a constant
}

// The values of Follow.Within.
const (
	WithinHost   = "host"
	WithinDomain = "domain"
	WithinAny    = "any"
)

// Follow says which links of a page become tasks.
type Follow struct {
	Source
	Page   string         // the kind of page that the link leads to
	Match  *regexp.Regexp // only links that match; nil: all
	Within string         // WithinHost, WithinDomain or WithinAny
	Depth  int            // only to pages at most so many links from a start; 0: no limit
}

// Expect is what a good page looks like; one that does not is a failure, whatever its status says.
type Expect struct {
	Status           []int  // good statuses; empty: any 2xx
	Contains, Absent string // selectors: CSS, or JSONPath when they begin with $; "": not asked
	Records          *int   // at least so many records, rejected ones not counted; nil: not asked
}
