// Package extract turns one page into records and links. It asks for nothing over the network and keeps nothing
// in a database: bytes in, rows out.
//
// Start with Rules.Extract in extract.go: it is the whole way of a page, in order.
//
// # Words
//
// Rules: what one kind of page is asked for, made once by Compile and then shared by all workers: selectors and
// paths are parsed, contradictions are refused. Page: one answer, as the fetching side hands it over, its body in
// UTF-8. Selector: an element of HTML (CSS), a place in a JSON document (JSONPath), or a place in the JSON that stands
// in an element. Source: where one value comes from: one of those, something known about the request or given to the
// page on the way (meta), or a fixed value. Records: one table to fill, with a source for each of its fields; Each says
// what one record is (one match each), without it the page is one record. Follow: which links the page contributes, and
// with Carry what each takes along. Next: the one page that comes after this. Expect: what a good page looks like; a
// page that does not is "blocked", however good its status is.
//
// # The way of a page
//
//	expect.go   status, contains, absent: is it the page that was asked for?
//	view.go     the page, parsed when the first rule asks and only as what the rules need (HTML or JSON, never both)
//	each.go     the matches that records and links stand in, those of several selectors within each other
//	records.go  raw text for every field (read.go), cleaned by schema.Table.Clean: a row or a reject
//	next.go     the next page: a link, or a URL made of a value; the end of a walk, and what only looks like one
//	link.go     links, resolved against the base of the page, within the scope that the rule allows; carry.go, what
//	            they take along: the JSON of schema.Request.Carry, at most 64 kB
//	failure.go  what can be wrong with a page, and which kind of failure that is
//	inspect.go  what Extract does not tell: each expectation by itself, what each rule found; for people
//	sitemap.go  instead of all that, for a sitemap: its entries as links, read as a stream
//	budget.go   how long a page may take, and how much text its records may hold: a page can be made to be slow
//
// # HTML
//
// html.go: x/net/html parses, goquery and cascadia select. The page is read as by a browser that runs no scripts,
// so what stands in <noscript> is part of the page. Text is what a reader sees: white space collapsed, a line
// break or the border of a block is a space, scripts and styles are left out unless they are what was selected.
// The parser gives up beyond 512 open elements; that fails the page, nothing else, and so does a page on which it would
// be busy for minutes. Links and fields of type url
// are relative to <base href>, which itself is relative to the URL that the page finally came from.
//
// Several selectors select within each other, outer to inner. An element within two matches of the outer one, which lie
// within each other, belongs to the nearer: so one innermost match is one record. Paths are taken as the RFC has them: a
// node that two outer ones lead to comes twice.
//
// # JSON in HTML
//
// script.go: a path may be for the JSON in the text, or in an attribute, of what CSS selects. That is a document, or a
// script that assigns one (window.x = {…};), also inside <!-- -->. Of several elements the first counts in which the path
// finds something other than null; one that holds no JSON is passed over. Where all are like that a field is not found,
// but records and links that were to come from there are a parse failure: a broken script must not look like an empty
// page. No element at all is none: like an each that matches nothing, it is for Expect to notice. Each script is read
// once for a page, with the limits of a JSON page; all together they hold little more than the page.
//
// # JSON
//
// document.go reads a document once, into a flat list of tokens that point into the page's bytes; nothing is
// decoded until a rule asks for it, so a number keeps the digits it was written with and a page costs about as
// much as looking at each byte once. What it accepts is what encoding/json accepts, less what is ambiguous:
// a member that occurs twice in an object. A byte order mark is refused, too: who reads the answer takes it off.
// scalar.go reads what has no parts, json.go gives tokens back as text.
//
// path.go walks RFC 9535 paths over the tokens, in the order of the document (also the members of an object).
// theory/jsonpath parses the paths, and decides filters ([?@.price > 5]), which compare numbers as float64.
//
// # Ownership
//
// Rules never change after Compile and may be used by any number of goroutines. A view belongs to one call of
// Extract; its list of tokens comes from a pool and goes back when the call ends, so nothing in a Result points
// into the page: a row can outlive the body it came from.
package extract
