package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"dogear/crawl"
	"dogear/crawl/extract"
	"dogear/crawl/fetch"
	"dogear/state"
)

// labelWidth is that of the words at the beginning of a line.
const labelWidth = 10

// maxLine is how many columns of one text of a site are shown where nothing is laid out side by side.
const maxLine = 1000

// sheet is what try shows, made before any of it is written.
type sheet struct {
	bytes.Buffer
	screen
}

func newSheet(w io.Writer) *sheet { return &sheet{screen: newScreen(w)} }

// line writes a line that begins with a word.
func (s *sheet) line(label, format string, args ...any) {
	fmt.Fprintf(s, "%s%s\n", s.label(label), s.wrap(fmt.Sprintf(format, args...), labelWidth))
}

func (s *sheet) label(text string) string {
	if cellWidth(text) >= labelWidth {
		return s.bold(text) + "  "
	}
	return s.bold(text) + strings.Repeat(" ", labelWidth-cellWidth(text))
}

// tried shows what a page gave. file is where it was, "" when it was fetched.
func (s *sheet) tried(t *crawl.Tried, file string) {
	o := &t.Outcome
	s.line("request", "%s %s", visible(o.Task.Method), fit(visible(o.Task.URL), maxLine))
	if o.Task.Body != "" {
		kind := " (" + visible(t.BodyType) + ")"
		s.line("body", "%s%s", fit(cell(o.Task.Body), s.width-labelWidth-cellWidth(kind)), kind)
	}
	s.answer(t, file)
	s.line("page", "%s", ruled(t))
	s.judged(t.Seen.Judgements)
	switch {
	case o.State != state.Done:
		text := o.Kind + ": " + fit(visible(o.Error), maxLine)
		if o.State == state.Pending {
			text += "; a run would ask again later"
		}
		fmt.Fprintf(s, "%s%s\n", s.red(pad("FAILED", labelWidth, false)), s.wrap(text, labelWidth))
	case t.Seen.Gone:
		s.line("done", "the job accepts a %d: there is nothing here, and nothing missing", o.Status)
	}
	if t.Page == nil || t.Seen.Gone {
		return
	}
	s.records(t)
	s.links(t)
}

func (s *sheet) answer(t *crawl.Tried, file string) {
	o, page := &t.Outcome, t.Page
	took := ""
	if file == "" {
		took = " in " + round(o.Took).String()
	}
	if took == " in 0s" {
		took = " in under 1ms"
	}
	switch {
	case page != nil && file != "":
		s.line("answer", "%d, %s of %s, %s", page.Status, size(page.Size), visible(file), visible(page.ContentType))
	case page != nil:
		s.line("answer", "%d, %s%s, %s", page.Status, size(page.Size), took, visible(page.ContentType))
	case o.Status != 0:
		s.line("answer", "%d%s", o.Status, took)
	default:
		s.line("answer", "none")
	}
	if o.FinalURL != "" {
		s.line("final url", "%s", fit(visible(o.FinalURL), maxLine))
	}
	if page != nil {
		s.line("charset", "%s", charset(page))
	}
}

// charset says what the text was decoded from, and why.
func charset(p *fetch.Page) string {
	why := map[string]string{
		"bom": "by its byte order mark", "header": "as the header says", "meta": "as the page says of itself",
		"content": "by its content; nothing declares one", "default": "by default; nothing declares one",
	}[p.CharsetFrom]
	switch {
	case p.Charset == "":
		return "none, it is not text"
	case why == "":
		why = "by " + visible(p.CharsetFrom)
	}
	text := visible(p.Charset) + ", " + why
	if p.Replaced > 0 {
		text += fmt.Sprintf("; %s could not be decoded and became \uFFFD", counted(int64(p.Replaced), "character"))
	}
	return text
}

// ruled says which rules a kind of page has.
func ruled(t *crawl.Tried) string {
	k := t.Kind
	if t.Sitemap {
		return k.Name + ": its entries become links"
	}
	tables := make([]string, len(k.Records))
	for i := range k.Records {
		tables[i] = k.Records[i].Table.Name
	}
	records := "no records"
	if n := len(tables); n > 0 {
		records = fmt.Sprintf("%s (%s)", counted(int64(n), "record table"), strings.Join(tables, ", "))
	}
	follow := "no follow rules"
	if n := len(k.Follow); n > 0 {
		follow = counted(int64(n), "follow rule")
	}
	if k.Next != nil {
		follow += ", a next page"
	}
	return k.Name + ": " + records + ", " + follow
}

// judged shows how the page did on what is expected of it, a line each.
func (s *sheet) judged(all []extract.Judgement) {
	width := 0
	for _, j := range all {
		width = max(width, min(cellWidth(j.Expected), s.width/2))
	}
	for i, j := range all {
		label := pad("", labelWidth, false)
		if i == 0 {
			label = s.label("expect")
		}
		mark, found := "-", "not looked at"
		switch j.Verdict {
		case extract.Met:
			mark, found = s.green("✓"), j.Found
		case extract.NotMet:
			mark, found = s.red("✗"), j.Found
		}
		left := max(s.width-labelWidth-2-width-2, leastColumn)
		expected := pad(fit(visible(j.Expected), width), width, false)
		fmt.Fprintf(s, "%s%s %s  %s\n", label, mark, expected, fit(visible(found), left))
	}
}
