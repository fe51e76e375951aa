package extract

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// Extract takes a page apart. The error, always a *Failure, is nil when the page is what was expected and gave at
// least one valid record or asked for none. With kind Invalid the Result is there too: its rejects say what was
// wrong with each record, and its links are good. A panic in a parser is a failure of kind Parse.
func (r *Rules) Extract(p *Page) (res *Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			res, err = nil, parseFailure(Bug(v))
		}
	}()
	return r.extract(p)
}

func (r *Rules) extract(p *Page) (*Result, error) {
	if r.expect.gone(p.Status) {
		return &Result{}, nil
	}
	v := newView(p, r.timeout)
	defer v.release()
	res, err := r.take(v)
	if v.over != nil { // and so whatever came of it is only a part
		return nil, parseFailure(v.over)
	}
	return res, err
}

// take goes the whole way of a page.
func (r *Rules) take(v *view) (*Result, error) {
	if err := r.expect.check(v); err != nil {
		return nil, err
	}
	res := &Result{}
	for i := range r.records {
		if err := r.records[i].read(v, res); err != nil {
			return nil, r.expect.unreadable(err)
		}
	}
	if err := r.expect.count(res); err != nil {
		return nil, err
	}
	if err := r.links(v, res); err != nil {
		return nil, parseFailure(err)
	}
	return res, res.valid()
}

// valid says whether at least one record is, if there are any.
func (res *Result) valid() error {
	if len(res.Rows) > 0 || len(res.Rejects) == 0 {
		return nil
	}
	return &Failure{Kind: Invalid, Err: errors.New(res.rejected())}
}

// rejected says how many records were rejected, and why the first was.
func (res *Result) rejected() string {
	first := res.Rejects[0]
	return fmt.Sprintf("%d rejected, the first by %s.%s: %s", len(res.Rejects), first.Table, first.Field, first.Reason)
}

// gone says whether the page is the accepted answer of a site that has no such thing: then there is nothing to
// read in it, and nothing missing.
func (e *expect) gone(status int) bool {
	return (status == http.StatusNotFound || status == http.StatusGone) && slices.Contains(e.status, status)
}

// check holds the page against what is expected of it before a record is read.
func (e *expect) check(v *view) error {
	if len(e.status) > 0 && !slices.Contains(e.status, v.page.Status) {
		return blocked("expected status %v, got %d", e.status, v.page.Status)
	}
	if e.contains != nil {
		found, err := v.has(e.contains)
		if err != nil {
			return parseFailure(err)
		}
		if !found {
			return blocked("expected the page to contain %q, and it does not", e.contains.text)
		}
	}
	if e.absent != nil {
		found, err := v.has(e.absent)
		if err != nil {
			return parseFailure(err)
		}
		if found {
			return blocked("expected %q to be absent from the page, and it is there", e.absent.text)
		}
	}
	return nil
}

// unreadable is the failure of a page of which no record can be read. HTML in the place of JSON, where records are
// expected, is the usual look of a block; without that expectation it is taken for what it is.
func (e *expect) unreadable(err error) error {
	var other *formatError
	if e.records > 0 && errors.As(err, &other) {
		return blocked("expected at least %d records: %w", e.records, err)
	}
	return parseFailure(err)
}

// count holds the records kept against the number expected.
func (e *expect) count(res *Result) error {
	switch kept := len(res.Rows); {
	case kept >= e.records:
		return nil
	case len(res.Rejects) > 0:
		return blocked("expected at least %d records, got %d (%s)", e.records, kept, res.rejected())
	default:
		return blocked("expected at least %d records, got %d", e.records, kept)
	}
}
