package extract

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"dogear/schema"
)

// Rules is what one kind of page is asked for, ready to use. Any number of goroutines may use it.
type Rules struct {
	page    string
	records []records
	follow  []follow
	expect  expect
	timeout time.Duration
}

type records struct {
	each    *selector // nil: the page is one record
	table   *schema.Table
	sources []source
}

type follow struct {
	Follow
	from source
}

type expect struct {
	status           []int
	contains, absent *selector
	records          int
}

// Compile checks and prepares the rules of one kind of page. The error names the table and field, or the number
// of the follow rule, and what is wrong with it.
func Compile(o Options) (*Rules, error) {
	r := &Rules{page: o.Page, timeout: cmp.Or(o.Timeout, defaultTimeout)}
	for _, rec := range o.Records {
		c, err := compileRecords(rec)
		if err != nil {
			return nil, r.wrap(err)
		}
		r.records = append(r.records, c)
	}
	for i, f := range o.Follow {
		c, err := compileFollow(f)
		if err != nil {
			return nil, r.wrap(fmt.Errorf("follow rule %d: %w", i+1, err))
		}
		r.follow = append(r.follow, c)
	}
	var err error
	if r.expect, err = compileExpect(o.Expect); err != nil {
		return nil, r.wrap(err)
	}
	return r, r.wrap(r.oneFormat())
}

func (r *Rules) wrap(err error) error {
	if err == nil || r.page == "" {
		return err
	}
	return fmt.Errorf("page %q: %w", r.page, err)
}

// oneFormat refuses rules that no page can satisfy. Expectations may well be of the other sort: an API that answers
// with a captcha is what `absent: "form#captcha"` is for.
func (r *Rules) oneFormat() error {
	var css, json *selector
	note := func(s *selector) {
		switch {
		case s == nil:
		case s.path != nil:
			json = s
		default:
			css = s
		}
	}
	for _, rec := range r.records {
		note(rec.each)
		for _, s := range rec.sources {
			note(s.needs(rec.each))
		}
	}
	for _, f := range r.follow {
		note(f.from.sel)
	}
	if css == nil || json == nil {
		return nil
	}
	return fmt.Errorf("css %q and json %q: a page is either HTML or JSON, so its rules are all CSS or all JSONPath",
		css.text, json.text)
}

func compileRecords(rec Records) (records, error) {
	if rec.Table == nil {
		return records{}, errors.New("records without a table")
	}
	c := records{table: rec.Table}
	if len(rec.Sources) != len(rec.Table.Fields) {
		return c, fmt.Errorf("table %q: %d sources for %d fields", rec.Table.Name, len(rec.Sources), len(rec.Table.Fields))
	}
	if rec.Each != "" {
		each, err := compileSelector(rec.Each)
		if err != nil {
			return c, fmt.Errorf("table %q: each: %w", rec.Table.Name, err)
		}
		c.each = each
	}
	for i, s := range rec.Sources {
		f := &rec.Table.Fields[i]
		from, err := compileSource(s)
		if err == nil {
			err = c.fits(from)
		}
		if err != nil {
			return c, fmt.Errorf("table %q: field %q: %w", rec.Table.Name, f.Name, err)
		}
		from.link = f.Type.Kind == schema.URL
		from.whole, from.comma = f.Type.Kind == schema.JSON, f.Decimal == ","
		c.sources = append(c.sources, from)
	}
	return c, nil
}

// fits refuses a source that cannot be found within what Each selects.
func (c *records) fits(s source) error {
	switch {
	case c.each == nil:
	case s.sel != nil && s.sel.path != nil && c.each.path == nil:
		return fmt.Errorf("json %q: each is the CSS selector %q, and there is no JSON in an element", s.sel.text, c.each.text)
	case s.sel != nil && s.sel.path == nil && c.each.path != nil:
		return fmt.Errorf("css %q: each is the JSONPath %q, and there are no elements in JSON", s.sel.text, c.each.text)
	case s.attr != "" && c.each.path != nil:
		return fmt.Errorf("attribute %q: each is the JSONPath %q, and JSON has no attributes", s.attr, c.each.text)
	}
	return nil
}

func compileFollow(f Follow) (follow, error) {
	from, err := compileSource(f.Source)
	if err != nil {
		return follow{}, err
	}
	if from.sel == nil {
		return follow{}, errors.New("links come from css or json")
	}
	switch f.Within {
	case "":
		f.Within = withinHost
	case withinHost, withinDomain, withinAny:
	default:
		return follow{}, fmt.Errorf("within %q: want host, domain or any", f.Within)
	}
	return follow{Follow: f, from: from}, nil
}

func compileExpect(e Expect) (expect, error) {
	c := expect{status: e.Status}
	if e.Records != nil {
		c.records = *e.Records
	}
	var err error
	if e.Contains != "" {
		if c.contains, err = compileSelector(e.Contains); err != nil {
			return c, fmt.Errorf("expect contains: %w", err)
		}
	}
	if e.Absent != "" {
		if c.absent, err = compileSelector(e.Absent); err != nil {
			return c, fmt.Errorf("expect absent: %w", err)
		}
	}
	return c, nil
}
