package job

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"dogear/schema"
)

// ErrNoRange says that a number alone names no request of the job.
var ErrNoRange = errors.New("the job has no start with one range of numbers")

// Finder tells which request of a job a URL or a number means that another program wrote. Job.Finder makes one; it is
// only read.
type Finder struct {
	job       *Job
	listed    map[string]schema.Request // by the key of their URL: starts that yield one
	templates []*Start
	numbered  *Start // the only start in which nothing varies but one number; nil: none, or several
	varies    int    // the dimension of numbered that does
}

// Finder makes the job's finder.
func (j *Job) Finder() *Finder {
	f := &Finder{job: j, listed: map[string]schema.Request{}}
	several := false
	for i := range j.Starts {
		s := &j.Starts[i]
		if s.list != nil {
			continue // what it has is known once it is read: to the finder its URLs are like those of pages
		}
		if len(s.template.dims) == 0 {
			q := s.Request(0)
			f.listed[schema.KeyURL(q.URL)] = q
			continue
		}
		f.templates = append(f.templates, s)
		if dim, ok := s.oneNumber(); ok {
			several = several || f.numbered != nil
			f.numbered, f.varies = s, dim
		}
	}
	if several {
		f.numbered = nil
	}
	return f
}

// oneNumber returns the dimension of a start that varies, when it is one only and has numbers.
func (s *Start) oneNumber() (dim int, ok bool) {
	for i, d := range s.template.dims {
		if d.values.count() == 1 && len(s.template.dims) > 1 {
			continue
		}
		if ok || !isNumeric(d.values) {
			return 0, false
		}
		dim, ok = i, true
	}
	return dim, ok
}

// URL returns the request of the start that yields this URL, with the values of secrets in it put back to ${NAME}.
func (f *Finder) URL(url string) (schema.Request, bool) {
	url = f.job.HideURL(url)
	normal := schema.KeyURL(url)
	if q, ok := f.listed[normal]; ok {
		return q, true
	}
	for _, s := range f.templates {
		for _, text := range []string{url, normal} {
			if q, ok := s.named(text); ok {
				return q, true
			}
		}
	}
	return schema.Request{}, false
}

// Other returns the request of a web URL that no start yields, as one of the job's only kind of page; false when there
// are several kinds. The error of what is no web URL does not show it.
func (f *Finder) Other(url string) (schema.Request, bool, error) {
	if _, err := schema.Resolve("", url); err != nil {
		return schema.Request{}, false, err
	}
	if len(f.job.Pages) > 1 {
		return schema.Request{}, false, nil
	}
	// A ${NAME} that is in it already must not be filled in: it would send a secret to wherever the URL leads.
	return schema.Request{URL: f.job.HideURL(strings.ReplaceAll(url, "${", "$%7B")), Page: f.job.Pages[0].Name}, true,
		nil
}

// Number returns the request that a start with one range of numbers yields for this one; false when it is not in the
// range. ErrNoRange when there is no such start, or more than one.
func (f *Finder) Number(n int64) (schema.Request, bool, error) {
	if f.numbered == nil {
		return schema.Request{}, false, ErrNoRange
	}
	values := f.numbered.template.dims[f.varies].values
	text := strconv.FormatInt(n, 10)
	if s, ok := values.(span); ok {
		text = s.text(n)
	}
	if !values.prefixes(text, func(length int) bool { return length == len(text) }) {
		return schema.Request{}, false, nil
	}
	return f.numbered.of(f.varies, text), true, nil
}

// Below returns the requests of the values below n, lowest first, of a start with one range of numbers. ErrNoRange when
// there is none, or more than one, or it does not count up: then a number does not say how far a program came.
func (f *Finder) Below(n int64) (iter.Seq[schema.Request], error) {
	if f.numbered == nil {
		return nil, ErrNoRange
	}
	values := f.numbered.template.dims[f.varies].values
	if !ascending(values) {
		return nil, fmt.Errorf("%w that counts up", ErrNoRange)
	}
	return func(yield func(schema.Request) bool) {
		for i := range values.count() {
			text := string(values.appendAt(nil, i))
			if v, err := strconv.ParseInt(text, 10, 64); err != nil || v >= n || !yield(f.numbered.of(f.varies, text)) {
				return
			}
		}
	}, nil
}

// of returns the request of one value of the dimension that varies.
func (s *Start) of(varies int, value string) schema.Request {
	values := make([]string, len(s.template.dims))
	for i, d := range s.template.dims {
		values[i] = string(d.values.appendAt(nil, 0))
	}
	values[varies] = value
	return s.with(put(s.template.pieces, values), values)
}

// named returns the request that has this URL; false when none has, or several that differ in their body.
func (s *Start) named(url string) (schema.Request, bool) {
	steps := maxSteps
	values, known := make([]string, len(s.template.dims)), make([]bool, len(s.template.dims))
	if !s.template.match(url, s.template.pieces, values, known, &steps) || steps < 0 {
		return schema.Request{}, false
	}
	for i, d := range s.template.dims {
		if !known[i] && d.values.count() > 1 {
			return schema.Request{}, false
		}
		if !known[i] {
			values[i] = string(d.values.appendAt(nil, 0))
		}
	}
	return s.with(url, values), true
}

func (s *Start) with(url string, values []string) schema.Request {
	return schema.Request{URL: url, Page: s.page, Method: s.template.method, Body: put(s.template.body, values)}
}

// put spells pieces with a value for each dimension.
func put(pieces []piece, values []string) string {
	var text strings.Builder
	for _, p := range pieces {
		if p.dim < 0 {
			text.WriteString(p.text)
		} else {
			text.WriteString(p.encoding.encode(values[p.dim]))
		}
	}
	return text.String()
}

// isNumeric reports whether all texts of a series are whole numbers.
func isNumeric(values series) bool {
	switch v := values.(type) {
	case span:
		return true
	case words:
		for _, word := range v.list {
			if _, err := strconv.ParseInt(word, 10, 64); err != nil {
				return false
			}
		}
		return true
	case choice:
		for _, part := range v.parts {
			if !isNumeric(part) {
				return false
			}
		}
		return true
	}
	return false
}

// ascending reports whether a numeric series counts up, each number once.
func ascending(values series) bool {
	switch v := values.(type) {
	case span:
		return v.step > 0 || v.n == 1
	case words:
		for i := range v.list {
			if i > 0 && number(v, int64(i-1)) >= number(v, int64(i)) {
				return false
			}
		}
		return true
	case choice:
		for i, part := range v.parts {
			if !ascending(part) || i > 0 && number(v.parts[i-1], v.parts[i-1].count()-1) >= number(part, 0) {
				return false
			}
		}
		return true
	}
	return false
}

// number is the i-th number of a numeric series.
func number(values series, i int64) int64 {
	v, _ := strconv.ParseInt(string(values.appendAt(nil, i)), 10, 64) // isNumeric has seen to that
	return v
}
