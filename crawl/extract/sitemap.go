package extract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"dogear/schema"
)

// Sitemap reads sitemaps (https://www.sitemaps.org/protocol.html): an index leads to other sitemaps, a sitemap, or a
// text with a URL in each line, to pages. Namespaces are not looked at: they are often wrong. Any number of
// goroutines may use it.
type Sitemap struct {
	Kind    string // of page, of the sitemaps in an index
	Rules   []SitemapRule
	Timeout time.Duration // see Options
}

// SitemapRule is which entries become links to a kind of page; of several the first one that fits an entry counts.
type SitemapRule struct {
	Page    string
	Match   *regexp.Regexp // on the resolved URL; nil: all
	Since   time.Time      // last changed before: left out; zero: none. An entry without a date that can be read is not
	LastMod bool           // the date goes along, as it is written
}

// maxLoc is how much of an entry's text is kept; URLs are never that long.
const maxLoc = 1 << 15

var (
	errNoSitemap = errors.New("it is no sitemap: neither a <urlset> or <sitemapindex> nor a text with a URL in each " +
		"line")
	errEmptySitemap = errors.New("it is no sitemap: it is empty")
)

// Extract returns the links of a sitemap. Of one that breaks off, or takes too long, they are those up to there, and
// the error is a *Failure of kind Parse.
func (s *Sitemap) Extract(p *Page) (res *Result, err error) {
	r := sitemapReader{
		Sitemap: s, page: p, from: schema.KeyURL(p.URL), seen: map[string]bool{},
		budget: newBudget(cmp.Or(s.Timeout, defaultTimeout), len(p.Body)),
	}
	defer func() {
		if v := recover(); v != nil {
			res, err = nil, parseFailure(Bug(v))
		}
	}()
	if err := r.read(trimMark(p.Body)); err != nil {
		return &r.result, parseFailure(err)
	}
	return &r.result, nil
}

// Inspect reads a sitemap for a person: see Rules.Inspect.
func (s *Sitemap) Inspect(p *Page) *Inspection {
	in := &Inspection{}
	res, err := s.Extract(p)
	if res != nil {
		in.Result = *res
	}
	in.Err = err
	for _, kind := range s.kinds() {
		sight := FollowSight{Source: "entry", Page: kind, Within: withinDomain}
		for i := range in.Links {
			if in.Links[i].Page == kind {
				sight.Matches++
				sight.Followed++
			}
		}
		if sight.Matches > 0 || len(in.Links) == 0 && kind != s.Kind {
			in.Follow = append(in.Follow, sight)
		}
	}
	return in
}

// kinds are those of page that a sitemap leads to, each once.
func (s *Sitemap) kinds() []string {
	kinds := []string{s.Kind}
	for i := range s.Rules {
		if kind := s.Rules[i].Page; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// JudgeStatus returns nothing: nothing is expected of a sitemap but that it is one.
func (s *Sitemap) JudgeStatus(int) []Judgement { return nil }

// sitemapReader is a sitemap while it is read.
type sitemapReader struct {
	*Sitemap
	page   *Page
	from   string // the sitemap's own URL, normalised
	seen   map[string]bool
	result Result
	budget
}

// entry is a <url> or a <sitemap>.
type entry struct {
	index        bool // it is a <sitemap>
	loc, lastMod string
}

func (r *sitemapReader) read(body []byte) error {
	text := bytes.TrimSpace(body)
	switch {
	case len(text) == 0:
		return errEmptySitemap
	case text[0] == '<':
		return r.readXML(text)
	}
	return r.readLines(text)
}

// readLines reads a text sitemap.
func (r *sitemapReader) readLines(text []byte) error {
	good := false
	for line := range bytes.Lines(text) {
		if !r.step() {
			return r.over
		}
		line = bytes.TrimSpace(line)
		if !bytes.HasPrefix(line, []byte("http://")) && !bytes.HasPrefix(line, []byte("https://")) {
			if len(line) > 0 {
				r.result.Empty++
			}
			continue
		}
		good = true
		r.add(entry{loc: string(line[:min(len(line), maxLoc)])})
	}
	if !good {
		return errNoSitemap
	}
	return nil
}

// readXML reads a sitemap or an index, token by token. What encoding/xml does with what is hostile: entities of a
// DOCTYPE are not expanded, and an element in an element costs a few bytes.
func (r *sitemapReader) readXML(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
	var open []string                                                                    // the elements around, three of them at the most
	depth := 0
	var e entry
	for {
		if !r.step() {
			return r.over
		}
		token, err := d.RawToken()
		switch {
		case err == io.EOF && depth == 0 && open != nil:
			return nil
		case err == io.EOF && open == nil:
			return errNoSitemap
		case err != nil:
			return fmt.Errorf("the sitemap breaks off after %d entries: %w", len(r.result.Links), unexpected(err))
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > 3 {
				continue
			}
			open = append(open[:depth-1], strings.ToLower(t.Name.Local))
			if depth == 1 && open[0] != "urlset" && open[0] != "sitemapindex" {
				return errNoSitemap
			}
			if depth == 2 {
				e = entry{index: open[1] == "sitemap"}
			}
		case xml.CharData:
			if depth == 3 {
				e.text(open[2], t)
			}
		case xml.EndElement:
			if depth == 2 && (open[1] == "url" || open[1] == "sitemap") {
				r.add(e)
			}
			depth = max(0, depth-1)
		}
	}
}

// unexpected says of the end of the text that it came too early.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// text adds a piece of the text of an entry's element.
func (e *entry) text(element string, piece []byte) {
	into := &e.loc
	switch element {
	case "loc":
	case "lastmod":
		into = &e.lastMod
	default:
		return
	}
	if room := maxLoc - len(*into); room > 0 {
		*into += string(piece[:min(len(piece), room)])
	}
}

// add makes a link of an entry, if it is one.
func (r *sitemapReader) add(e entry) {
	loc := strings.TrimSpace(e.loc)
	if loc == "" {
		r.result.Empty++
		return
	}
	url, err := schema.Resolve(r.page.URL, loc)
	switch {
	case err != nil:
		r.result.Empty++
		return
	case !within(withinDomain, r.from, schema.KeyURL(url)):
		r.result.Foreign++
		return
	}
	link := schema.Request{URL: url, Page: r.Kind}
	if !e.index {
		var ok bool
		if link, ok = r.link(url, strings.TrimSpace(e.lastMod)); !ok {
			return
		}
	}
	if key := link.Key(); !r.seen[key] {
		r.seen[key] = true
		r.result.Links = append(r.result.Links, link)
	}
}

// link makes the link of a page, by the first rule that fits.
func (r *sitemapReader) link(url, lastMod string) (schema.Request, bool) {
	_, until, dated := schema.W3CTime(lastMod)
	for i := range r.Rules {
		rule := &r.Rules[i]
		if rule.Match != nil && !rule.Match.MatchString(url) || dated && !until.After(rule.Since) {
			continue
		}
		link := schema.Request{URL: url, Page: rule.Page}
		if rule.LastMod && lastMod != "" {
			carry, err := json.Marshal(map[string]string{"carry.lastmod": lastMod})
			if err == nil { // a text always can be
				link.Carry = string(carry)
			}
		}
		return link, true
	}
	return schema.Request{}, false
}
