package draft

import (
	"slices"
	"strconv"
	"strings"

	"dogear/schema"
)

// What APIs call what comes next, and how many pages there are, as snake names them.
var (
	nextNames = []string{"next", "next_page", "next_url", "next_page_url", "next_link", "next_cursor", "cursor", "after",
		"end_cursor", "next_page_token", "next_token", "continuation", "odata_next_link"}
	totalNames = []string{"total_pages", "total_page", "page_count", "pages", "last_page", "num_pages", "max_page"}
	// envelopes are the members in which these stand when they are not at the top.
	envelopes = []string{"links", "link", "paging", "pagination", "meta", "page_info", "data", "result", "response",
		"next"}
)

// cursor says how to come to the next page: by a link, which the job follows, by the number of pages that the page
// tells, or by a cursor, of which it only tells.
func (o *outline) cursor(p Page, root *value) {
	if o.jsonPages(p, root) {
		return
	}
	v, path := search(root, "$", nextNames, 0)
	if v == nil {
		return
	}
	link := webLink.MatchString(v.text) || rootLink.MatchString(v.text)
	if next, err := schema.Resolve(p.Final, v.text); err == nil && link && v.kind == '"' {
		if sameHost(p.Final, next) && writable(path) {
			o.follow, o.why = "{json: "+scalar(path)+"}", "the next page: "+example(v.text)
			o.next = "the link " + path + ", followed as long as there is one"
		}
		return
	}
	o.hint("What comes next is named by "+path+", here "+strconv.Quote(example(v.text))+
		". Nothing is done with it so far; see next: in the documentation:",
		"  next: {json: "+scalar(path)+`, url: "`+pageless(p.URL)+`{value}"}`)
	o.next = "a cursor, " + path + ", see the comment in the file"
}

// pageless is a URL that only its cursor is missing from.
func pageless(url string) string {
	if strings.Contains(url, "?") {
		return url + "&cursor="
	}
	return url + "?cursor="
}

// search finds a scalar by the names that it may have, at the top or in an envelope.
func search(v *value, path string, names []string, depth int) (*value, string) {
	for i, name := range v.names {
		item := v.items[i]
		filled := (item.kind == '"' || item.kind == '0') && item.text != ""
		if filled && writable(name) && slices.Contains(names, snake(name)) {
			return item, step(path, name)
		}
	}
	for i, name := range v.names {
		item := v.items[i]
		if item.kind != '{' || depth > 1 || !writable(name) || !slices.Contains(envelopes, snake(name)) {
			continue
		}
		inner := names
		if snake(name) == "next" { // {"next": {"href": …}}
			inner = []string{"href", "url"}
		}
		if found, at := search(item, step(path, name), inner, depth+1); found != nil {
			return found, at
		}
	}
	return nil, ""
}

// jsonPages makes a range of the page number in the URL when the page says how many pages there are.
func (o *outline) jsonPages(p Page, root *value) bool {
	n, ok := pageNumber(p.URL)
	if !ok {
		return false
	}
	v, path := search(root, "$", totalNames, 0)
	if v == nil || v.kind != '0' {
		return false
	}
	last, err := strconv.Atoi(v.text)
	if err != nil || last < n.value || last > maxPages {
		return false
	}
	o.pages(n, min(1, n.value), last, path+" says how many pages there are")
	return true
}
