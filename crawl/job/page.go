package job

import (
	"regexp"
	"slices"

	"dogear/schema"
)

// Page is a kind of page and its rules.
type Page struct {
	Name    string
	Records []Records
	Follow  []Follow
	Next    *Next // nil: none
	Expect  Expect
	Keep    bool // the pages themselves are kept: keep: body
}

// Selector says what is meant of a page: an element (CSS), a node of JSON (JSON, RFC 9535), or, with both, a node of the
// JSON that stands in an element's text or in its attribute Attr.
type Selector struct {
	CSS, Attr, JSON string
}

// json says whether what it selects is JSON.
func (s Selector) json() bool { return s.JSON != "" }

// Records says how records of one table stand on a page.
type Records struct {
	// Each selects what a record stands in, outer to inner, each within the matches of the one before; empty: the page is
	// one record.
	Each    []Selector
	Table   *schema.Table
	Sources []Source // where each field's text is, in the order of Table.Fields
}

// Source is where a text is found: exactly one of CSS (with or without Attr), Attr alone, JSON, CSS or Attr with JSON,
// Meta and Value.
type Source struct {
	CSS   string  // selector of an element, whose text is meant, or its attribute Attr
	Attr  string  // an attribute; with CSS "" that of the record's element itself
	JSON  string  // JSONPath (RFC 9535); with CSS or Attr in the JSON that stands there
	Meta  string  // url, final_url, status, fetched_at, param.NAME or carry.NAME
	Value *string // a constant
	Up    int     // relative to the match of Each so many before the last
	Take  string  // TakeText and so on; "" is TakeText
	Join  *string // stands between the texts of all matches; nil: only the first counts
}

// The values of Source.Take.
const (
	TakeText  = "text"
	TakeOwn   = "own"
	TakeHTML  = "html"
	TakeOuter = "outer"
)

// The values of Follow.Within.
const (
	WithinHost   = "host"
	WithinDomain = "domain"
	WithinAny    = "any"
)

// Follow says which links of a page become tasks.
type Follow struct {
	Each []Selector // Source and Carry are relative to each match, as in Records; empty: to the page
	Source
	Carry  Carry          // what the link takes along
	Page   string         // the kind of page that the link leads to
	Match  *regexp.Regexp // only links that match; nil: all
	Within string         // WithinHost, WithinDomain or WithinAny
	Depth  int            // only to pages at most so many links from a start; 0: no limit
}

// Carry is what a link takes along for the page that it leads to, where meta: carry.NAME reads it.
type Carry struct {
	Table   *schema.Table // its fields, all of them texts, are the names; nil: nothing
	Sources []Source      // in the order of Table.Fields
}

// Next says where the page is that comes after one, of the same kind.
type Next struct {
	Source
	// URL is what the URL is made of, with the percent-encoded value between its pieces; nil: the value is the URL. It may
	// hold secrets.
	URL    []string
	Within string // WithinHost, WithinDomain or WithinAny; not asked of a URL that is made
}

// Expect is what a good page looks like; one that does not is a failure, whatever its status says.
type Expect struct {
	Status           []int  // good statuses; empty: any 2xx
	Contains, Absent string // selectors: CSS, or JSONPath when they begin with $; "": not asked
	Records          *int   // at least so many records, rejected ones not counted; nil: not asked
}

// Metas are the facts about the request, such as param.NAME and carry.NAME, that the records of a page and what its links
// take along ask for, each once.
func (p *Page) Metas() []string {
	var metas []string
	ask := func(sources []Source) {
		for _, s := range sources {
			if s.Meta != "" && !slices.Contains(metas, s.Meta) {
				metas = append(metas, s.Meta)
			}
		}
	}
	for _, r := range p.Records {
		ask(r.Sources)
	}
	for _, f := range p.Follow {
		ask(f.Carry.Sources)
	}
	return metas
}
