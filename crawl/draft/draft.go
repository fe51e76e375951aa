package draft

import (
	"encoding/json"
	"errors"
	"mime"
	"strings"
)

// What a page can be that no job is made of.
var (
	ErrFormat  = errors.New("neither HTML nor JSON")
	ErrNothing = errors.New("nothing in it that a record could be made of")
)

// Page is the answer to one request, its body in UTF-8.
type Page struct {
	URL         string // asked for; printable and without braces
	Final       string // where the page came from in the end; "": URL
	ContentType string
	Body        []byte
}

// Draft is a first job file, and what it says in short.
type Draft struct {
	Text    []byte
	Each    string   // the selector of a record; "": the page is one
	Records int      // how many of them the page has
	Fields  []string // their names
	Next    string   // how the pages after this one are found, for people; "": not at all
}

// Write makes a job file of that name. The errors are ErrFormat, ErrNothing, and those of a page that can't be read.
func Write(p Page, name string) (*Draft, error) {
	if p.Final == "" {
		p.Final = p.URL
	}
	o := newOutline(p, name)
	var err error
	switch format(p) {
	case "html":
		err = o.fromHTML(p)
	case "json":
		err = o.fromJSON(p)
	default:
		err = ErrFormat
	}
	if err != nil {
		return nil, err
	}
	d := &Draft{Text: o.text(), Each: o.each, Records: max(o.count, 1), Next: o.next}
	for _, f := range o.fields {
		d.Fields = append(d.Fields, f.name)
	}
	return d, nil
}

// format tells what the page is by the rules of package extract: the first byte knows better than the header.
func format(p Page) string {
	text := strings.TrimLeft(string(p.Body[:min(len(p.Body), 4096)]), " \t\r\n\f")
	media, _, _ := mime.ParseMediaType(p.ContentType)
	switch {
	case text == "" && len(p.Body) <= 4096:
		return ""
	case strings.HasPrefix(text, "<"):
		return "html"
	case strings.Contains(media, "json"):
		return "json"
	case (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Valid(p.Body):
		return "json"
	case strings.HasPrefix(media, "text/") || media == "" || strings.Contains(media, "xml"):
		return "html"
	}
	return ""
}
