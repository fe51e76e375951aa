package extract

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"dogear/schema"
)

// Rules is what one kind of page is asked for, ready to use. Any number of goroutines may use it.
type Rules struct {
	page    string
	records []records
	follow  []follow
	next    *next // nil: none
	expect  expect
	timeout time.Duration
}

type records struct {
	each    []*selector // none: the page is one record
	whole   *selector   // without each, what the page is read as; nil: nothing stands on it
	table   *schema.Table
	sources []source
}

type follow struct {
	Follow
	each  []*selector // of what it is the last one selects
	from  source
	path  []*selector // each, and then what from selects in it
	carry carry
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
	if r.next, err = compileNext(o.Next); err != nil {
		return nil, r.wrap(err)
	}
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
		case s.ofJSON():
			json = s
		default:
			css = s
		}
	}
	for _, rec := range r.records {
		noteSources(rec.sources, rec.each, note)
	}
	for _, f := range r.follow {
		note(f.path[0])
		noteSources(f.carry.sources, f.each, note)
	}
	if r.next != nil {
		note(r.next.from.sel)
	}
	if css == nil || json == nil {
		return nil
	}
	return fmt.Errorf("css %q and json %q: a page is either HTML or JSON, so its rules are all CSS or all JSONPath",
		css.text, json.text)
}

// noteSources tells what sources within each need of the page.
func noteSources(sources []source, each []*selector, note func(*selector)) {
	for i := range sources {
		note(sources[i].needs(each))
	}
}

func compileRecords(rec Records) (records, error) {
	if rec.Table == nil {
		return records{}, errors.New("records without a table")
	}
	c := records{table: rec.Table}
	if len(rec.Sources) != len(rec.Table.Fields) {
		return c, fmt.Errorf("table %q: %d sources for %d fields", rec.Table.Name, len(rec.Sources), len(rec.Table.Fields))
	}
	var err error
	if c.each, err = compileEach(rec.Each); err != nil {
		return c, fmt.Errorf("table %q: %w", rec.Table.Name, err)
	}
	for i, s := range rec.Sources {
		f := &rec.Table.Fields[i]
		from, err := compileSource(s)
		if err == nil {
			err = from.fits(c.each)
		}
		if err != nil {
			return c, fmt.Errorf("table %q: field %q: %w", rec.Table.Name, f.Name, err)
		}
		from.link = f.Type.Kind == schema.URL
		from.whole, from.comma = f.Type.Kind == schema.JSON, f.Decimal == ","
		c.sources = append(c.sources, from)
		c.whole = cmp.Or(c.whole, from.needs(nil))
	}
	return c, nil
}

func compileFollow(f Follow) (follow, error) {
	c := follow{Follow: f}
	var err error
	if c.each, err = compileEach(f.Each); err != nil {
		return c, err
	}
	if c.from, err = compileSource(f.Source); err != nil {
		return c, err
	}
	s := &c.from
	c.path = slices.Clone(c.each)
	switch {
	case s.sel == nil && (s.attr == "" || len(c.each) == 0) || s.up != 0 || s.join != nil:
		return c, errors.New("links come from css or json")
	case s.sel != nil:
		c.path = append(c.path, s.sel)
	}
	if err := s.fits(c.each); err != nil {
		return c, err
	}
	if c.Within, err = scope(f.Within); err != nil {
		return c, err
	}
	c.carry, err = compileCarry(f.Carry, c.each)
	return c, err
}

// scope checks a within, which is that of the host when there is none.
func scope(within string) (string, error) {
	switch within {
	case "":
		return withinHost, nil
	case withinHost, withinDomain, withinAny:
		return within, nil
	}
	return "", fmt.Errorf("within %q: want host, domain or any", within)
}

func compileExpect(e Expect) (expect, error) {
	c := expect{status: e.Status}
	if e.Records != nil {
		c.records = *e.Records
	}
	var err error
	if e.Contains != "" {
		if c.contains, err = parseSelector(e.Contains); err != nil {
			return c, fmt.Errorf("expect contains: %w", err)
		}
	}
	if e.Absent != "" {
		if c.absent, err = parseSelector(e.Absent); err != nil {
			return c, fmt.Errorf("expect absent: %w", err)
		}
	}
	return c, nil
}
