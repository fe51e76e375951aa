package extract

import "dogear/schema"

// read adds the records of one table to res. The error is why the page cannot be read.
func (r *records) read(v *view, res *Result) error {
	raw := make([]schema.Raw, len(r.sources))
	return r.elements(v, func(e element) { r.record(v, e, raw, res) })
}

// elements calls one with the element of each record.
func (r *records) elements(v *view, one func(element)) error {
	if len(r.each) > 0 {
		return v.every(r.each, one)
	}
	if r.whole == nil {
		one(element{})
		return nil
	}
	e, err := v.whole(r.whole)
	if err == nil {
		one(e)
	}
	return err
}

// record reads one record, its raw texts into raw, and adds it to res.
func (r *records) record(v *view, e element, raw []schema.Raw, res *Result) {
	for i := range r.sources {
		raw[i] = r.sources[i].read(v, e)
		v.take(len(raw[i].Text))
	}
	row, reject := r.table.Clean(raw, v.base)
	if row != nil {
		res.Rows = append(res.Rows, *row)
	} else {
		res.Rejects = append(res.Rejects, *reject)
	}
}
