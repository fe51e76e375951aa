package extract

import (
	"strings"

	"dogear/schema"
)

// Inspection is what a person who writes rules wants to know of a page and Extract, which stops at the first thing that
// is not as expected, does not tell. Its Result is what the page would give if nothing were expected of it.
type Inspection struct {
	Result
	Judgements []Judgement // of what is expected, in the order status, contains, absent, records
	Gone       bool        // an accepted 404 or 410: nothing is read of it
	Tables     []TableSight
	Follow     []FollowSight
	Err        error // why the rest is not there; nil: all of it is
}

// TableSight is what the rule of one table found.
type TableSight struct {
	Table   *schema.Table
	Each    string       // the selector of its records; "": the page is one
	Matches int          // of Each; 1 without it
	Fields  []FieldSight // in the order of Table.Fields

	Rows    []schema.Row // those of Result that it gave
	Rejects []schema.Reject
}

// FieldSight is what the source of one field found, in all elements that are a record.
type FieldSight struct {
	Source  string // as the job file has it; "" is the text of the element itself
	Fact    bool   // it is no matter of the page: meta or value
	JSON    bool   // a JSONPath
	Matches int    // elements in which it matches something
	Found   int    // those in which there is what it asks for: the attribute, or a JSON value other than null
	Texts   int    // those in which that is more than white space
	Text    string // the first of them, shortened
}

// FollowSight is what a follow rule found, or the rule of the next page.
type FollowSight struct {
	Next                 bool // it is that one
	Source, Page, Within string
	Matches              int
	Followed             int
	NoLink               int // matches without a URL that can be fetched
	Unmatched            int // of which the URL is not what `match` asks for
	Outside              int // that lead out of Within
	Again                int // that lead where an earlier match of the page does
	TooDeep              bool
}

// Inspect takes a page apart as Extract does, and tells of each rule what it found. It is slower, and keeps going where
// Extract has seen enough.
func (r *Rules) Inspect(p *Page) (in *Inspection) {
	in = &Inspection{Gone: r.expect.gone(p.Status)}
	defer func() {
		if v := recover(); v != nil {
			in.Err = Bug(v)
		}
	}()
	r.inspect(p, in)
	return in
}

func (r *Rules) inspect(p *Page, in *Inspection) {
	if in.Gone {
		in.Judgements = r.JudgeStatus(p.Status)
		return
	}
	v := newView(p, r.timeout)
	defer v.release()
	for i := range r.records {
		in.note(r.records[i].inspect(v, in))
	}
	in.share()
	in.note(r.inspectLinks(v, in))
	in.Judgements = r.expect.judge(v, in)
	in.note(v.over)
}

// share gives each table its part of the Result, once that has its place in memory.
func (in *Inspection) share() {
	rows, rejects := in.Rows, in.Rejects
	for i := range in.Tables {
		t := &in.Tables[i]
		n, m := len(t.Rows), len(t.Rejects)
		t.Rows, rows = rows[:n:n], rows[n:]
		t.Rejects, rejects = rejects[:m:m], rejects[m:]
	}
}

// note keeps the first error.
func (in *Inspection) note(err error) {
	if err != nil && in.Err == nil {
		in.Err = err
	}
}

// inspect is read for a person: what stays unfound is counted.
func (r *records) inspect(v *view, in *Inspection) error {
	raw := make([]schema.Raw, len(r.sources))
	seen := TableSight{Table: r.table, Fields: make([]FieldSight, len(r.sources))}
	seen.Each = textOfAll(r.each)
	for i := range r.sources {
		s := &r.sources[i]
		seen.Fields[i].Source, seen.Fields[i].Fact = s.written()
		seen.Fields[i].JSON = s.sel != nil && s.sel.path != nil
	}
	rows, rejects := len(in.Rows), len(in.Rejects)
	one := func(e element) {
		seen.Matches++
		r.record(v, e, raw, &in.Result)
		for i := range r.sources {
			seen.Fields[i].see(raw[i], r.sources[i].matches(v, e))
		}
	}
	err := r.elements(v, one)
	seen.Rows, seen.Rejects = in.Rows[rows:], in.Rejects[rejects:]
	in.Tables = append(in.Tables, seen)
	return err
}

func (s *FieldSight) see(raw schema.Raw, matches bool) {
	if matches {
		s.Matches++
	}
	if raw.Found {
		s.Found++
	}
	if text := quotable(raw.Text); raw.Found && text != "" {
		if s.Texts++; s.Texts == 1 {
			s.Text = text
		}
	}
}

// written returns a source as a job file has it, and whether it is no matter of the page.
func (s *source) written() (string, bool) {
	switch {
	case s.meta != "":
		return "meta: " + s.meta, true
	case s.value != nil:
		return "value: " + quotable(*s.value), true
	}
	return s.String(), false
}

// matches says whether there is something where the source looks, whatever it is.
func (s *source) matches(v *view, e element) bool {
	if s.meta != "" || s.value != nil {
		return true
	}
	for range s.up {
		e = *e.up
	}
	_, ok := s.first(v, e)
	return ok
}

// textOfAll is how a job file has selectors within each other; "" when there are none.
func textOfAll(each []*selector) string {
	texts := make([]string, len(each))
	for i, s := range each {
		texts[i] = s.text
	}
	return strings.Join(texts, " > ")
}

// inspectLinks is links for a person: what is not followed is counted.
func (r *Rules) inspectLinks(v *view, in *Inspection) error {
	for i := range r.follow {
		f := &r.follow[i]
		source := textOfAll(f.path)
		if f.from.attr != "" && !strings.HasSuffix(source, "@"+f.from.attr) {
			source += "@" + f.from.attr
		}
		in.Follow = append(in.Follow, FollowSight{
			Source: source, Page: f.Page, Within: f.Within, TooDeep: f.tooDeep(v.page),
		})
	}
	var next *FollowSight
	if r.next != nil {
		in.Follow = append(in.Follow, FollowSight{
			Next: true, Source: r.next.from.String(), Page: r.page, Within: r.next.within,
		})
		next = &in.Follow[len(in.Follow)-1]
	}
	return r.eachLink(v, func(rule int, request schema.Request, became fate) {
		seen := next
		if rule != nextRule {
			seen = &in.Follow[rule]
		}
		seen.Matches++
		switch became {
		case followed:
			seen.Followed++
			in.Links = append(in.Links, request)
		case noLink:
			seen.NoLink++
		case unmatched:
			seen.Unmatched++
		case outside:
			seen.Outside++
		case again:
			seen.Again++
		}
	})
}
