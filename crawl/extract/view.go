package extract

import (
	"bytes"
	"errors"
	"mime"
	"strings"
	"sync"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
)

// format is what sort of document a page is.
type format uint8

const (
	unknown   format = iota // text of some sort: it may be read as either
	htmlPage                // it begins as HTML or XML does
	jsonPage                // it says that it is JSON, or is
	otherPage               // it says that it is no text
)

func (f format) String() string {
	return [...]string{"text", "HTML", "JSON", "neither HTML nor JSON"}[f]
}

// view is one page while it is taken apart, parsed when first asked for.
type view struct {
	page *Page
	html *goquery.Document
	json *document
	err  error // of the one attempt to parse
	read map[scriptKey]script
	took map[string]string // what the page was given, once somebody asked
	base string
	at   string // page.At as text
	form format
	know bool // form is known
	budget
}

// maxPooled is up to how many tokens a document is kept for the next page.
const maxPooled = 1 << 14

var documents = sync.Pool{New: func() any { return new(document) }}

func newView(p *Page, timeout time.Duration) *view {
	return &view{page: p, base: p.URL, budget: newBudget(timeout, len(p.Body))}
}

// matcher makes a selector ready for this page.
func (v *view) matcher(css cascadia.Selector) matcher { return matcher{css, &v.budget} }

// release gives back what can be used for the next page. Nothing of a Result points into it.
func (v *view) release() {
	v.json.recycle()
	for _, s := range v.read {
		s.doc.recycle()
	}
	v.json, v.read = nil, nil
}

// recycle keeps what a document took up for the next one; d may be nil.
func (d *document) recycle() {
	if d != nil && cap(d.tokens) <= maxPooled {
		*d = document{tokens: d.tokens[:0]}
		documents.Put(d)
	}
}

// asJSON returns the document; rule is the selector that asks.
func (v *view) asJSON(rule string) (*document, error) {
	if v.first() == '<' {
		return nil, v.mismatch(htmlPage, jsonPage, rule)
	}
	if v.json == nil && v.err == nil {
		v.json = documents.Get().(*document)
		v.json.budget = &v.budget
		v.err = v.json.read(v.page.Body)
	}
	if v.err != nil && v.format() == otherPage {
		return nil, v.mismatch(otherPage, jsonPage, rule)
	}
	return v.json, v.err
}

// asHTML returns the document; rule is the selector that asks.
func (v *view) asHTML(rule string) (*goquery.Document, error) {
	if v.html != nil {
		return v.html, nil
	}
	if f := v.format(); f == jsonPage || f == otherPage {
		return nil, v.mismatch(f, htmlPage, rule)
	}
	doc, err := parseHTML(v.page.Body, &v.budget)
	if err != nil {
		return nil, err
	}
	v.html, v.base = doc, baseOf(doc, v.page.URL, &v.budget)
	return v.html, nil
}

func (v *view) mismatch(is, want format, rule string) error {
	return &formatError{is: is.String(), contentType: v.page.ContentType, want: want.String(), rule: rule}
}

// has says whether a selector matches anything. On a page that is another sort of document it matches nothing.
func (v *view) has(s *selector) (bool, error) {
	found, err := v.find(s)
	var other *formatError
	if errors.As(err, &other) {
		return false, nil
	}
	return found, err
}

func (v *view) find(s *selector) (bool, error) {
	if s.path != nil {
		d, err := v.asJSON(s.text)
		return err == nil && s.path.first(d, 0) >= 0, err
	}
	doc, err := v.asHTML(s.text)
	return err == nil && cascadia.Query(doc.Nodes[0], v.matcher(s.css)) != nil, err
}

// format tells what the page is: its first byte knows better than its header, because many an API serves JSON as
// text/html and an error page of a proxy comes as HTML whatever was asked for.
func (v *view) format() format {
	if !v.know {
		v.form, v.know = v.sniff(), true
	}
	return v.form
}

func (v *view) sniff() format {
	c := v.first()
	if c == '<' {
		return htmlPage
	}
	media, _, _ := mime.ParseMediaType(v.page.ContentType)
	if strings.Contains(media, "json") {
		return jsonPage
	}
	if c == '{' || c == '[' {
		var d document
		if d.read(v.page.Body) == nil {
			return jsonPage
		}
	}
	if !textual(media) {
		return otherPage
	}
	return unknown
}

// textual says whether a media type can be text; without one, or with the one that says nothing, it can.
func textual(media string) bool {
	major, minor, _ := strings.Cut(media, "/")
	switch major {
	case "image", "audio", "video", "font":
		return strings.Contains(minor, "xml") // image/svg+xml
	case "application":
		return minor != "pdf" && minor != "zip" && minor != "gzip" && !strings.HasPrefix(minor, "vnd.")
	}
	return true
}

// first returns the first byte that is neither white space nor a byte order mark, 0 when there is none.
func (v *view) first() byte {
	text := bytes.TrimLeft(trimMark(v.page.Body), " \t\r\n\f")
	if len(text) == 0 {
		return 0
	}
	return text[0]
}

// fetchedAt returns when the page came, RFC 3339 with milliseconds, UTC.
func (v *view) fetchedAt() string {
	if v.at == "" {
		v.at = v.page.At.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	return v.at
}
