package job

import (
	"slices"
	"strings"

	"dogear/schema"
)

// Start is an entry of a job that yields requests: a URL, or one with braces and parameters that stands for many. They
// are computed from their number, so that it takes the same few bytes for one as for a billion; or they are read, see
// List. The zero Start yields nothing.
type Start struct {
	template *template
	page     string
	entry    string
	total    int64
	shuffled *shuffle // nil: in order
	list     *List    // nil: computed
}

// Request is what starts yield.
type Request = schema.Request

// Entry is the canonical text of what the start yields: URL, values, order and kind of page. It is the start's identity
// across edits of the job file: comments and ways to write the same thing do not change it. In the place of a value from the
// environment it has ${NAME} and a fingerprint, so that it can be stored and still is another one when the value is.
func (s *Start) Entry() string { return s.entry }

// Total is the number of requests the start computes: 0 of one that is read.
func (s *Start) Total() int64 { return s.total }

// Request returns the i-th request, 0 <= i < Total(). The rightmost of several braces or parameters counts fastest, as in a
// shell; with order: shuffle a permutation is in between that depends on Entry and Total only. Its URL can be stored: a
// ${NAME} in the userinfo, the query or the fragment is in it as written, for Job.Fill to fill in.
func (s *Start) Request(i int64) schema.Request {
	if s.shuffled != nil {
		i = s.shuffled.at(i)
	}
	return s.at(i)
}

// at returns the i-th request in the order of counting.
func (s *Start) at(i int64) schema.Request {
	url, body := s.template.request(i, s.total)
	return schema.Request{URL: url, Page: s.page, Method: s.template.method, Body: body}
}

// request returns the i-th of total URLs, and its body.
func (t *template) request(i, total int64) (url, body string) {
	var room [8]int64
	index := room[:0]
	block := total
	for _, d := range t.dims {
		block /= d.values.count()
		index = append(index, i/block)
		i %= block
	}
	var text [160]byte
	made := t.spell(text[:0], t.pieces, index)
	end := len(made)
	made = t.spell(made, t.body, index)
	return string(made[:end]), string(made[end:])
}

// spell appends pieces with the values of this index.
func (t *template) spell(dst []byte, pieces []piece, index []int64) []byte {
	for _, p := range pieces {
		switch {
		case p.dim < 0:
			dst = append(dst, p.text...)
		case p.values != nil:
			dst = p.values.appendAt(dst, index[p.dim])
		default:
			dst = t.dims[p.dim].values.appendAt(dst, index[p.dim])
		}
	}
	return dst
}

// maxSteps bounds the search for parameter values in a URL that fits its template in very many ways.
const maxSteps = 10_000

// params returns the values of the parameters that make this URL and body; nil when none do.
func (s *Start) params(url, body string) map[string]string {
	values := make([]string, len(s.template.dims))
	if !s.template.fits(url, body, values, make([]bool, len(values))) {
		return nil
	}
	params := map[string]string{}
	for i, d := range s.template.dims {
		if d.name != "" {
			params[d.name] = values[i]
		}
	}
	return params
}

// fits finds values of the dimensions so that the template spells url and body.
func (t *template) fits(url, body string, values []string, known []bool) bool {
	pieces := t.pieces
	if len(t.body) > 0 {
		pieces = slices.Concat(pieces, []piece{{text: "\x00", dim: -1}}, t.body)
		url += "\x00" + body
	} else if body != "" {
		return false
	}
	steps := maxSteps
	return t.match(url, pieces, values, known, &steps) && steps >= 0
}

// match finds values of the dimensions so that the pieces spell url. When steps run out it ends at once, below zero; what it
// returns means nothing then.
func (t *template) match(url string, pieces []piece, values []string, known []bool, steps *int) bool {
	if *steps--; *steps < 0 {
		return false
	}
	if len(pieces) == 0 {
		return url == ""
	}
	p := pieces[0]
	if p.dim < 0 {
		rest, ok := strings.CutPrefix(url, p.text)
		return ok && t.match(rest, pieces[1:], values, known, steps)
	}
	if known[p.dim] { // the parameter stands in the URL twice
		rest, ok := strings.CutPrefix(url, p.encoding.encode(values[p.dim]))
		return ok && t.match(rest, pieces[1:], values, known, steps)
	}
	texts := p.values
	if texts == nil {
		texts = t.dims[p.dim].values
	}
	return texts.prefixes(url, func(n int) bool {
		values[p.dim], known[p.dim] = p.encoding.decode(url[:n]), true
		found := t.match(url[n:], pieces[1:], values, known, steps)
		known[p.dim] = found
		return found || *steps < 0
	})
}
