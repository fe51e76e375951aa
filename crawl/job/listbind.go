package job

import (
	"fmt"
	"slices"
	"strings"
)

// bind finds the columns that the start needs in the header of its list.
func (l *List) bind(header []string) (*maker, error) {
	s, r := l.start, &report{}
	t := s.template
	m := &maker{list: l, pieces: t.pieces, plain: len(t.pieces) == 0, values: make([]string, len(t.dims))}
	needed := make([]bool, len(t.dims))
	for _, p := range t.pieces {
		if p.dim >= 0 {
			needed[p.dim] = true
		}
	}
	for i, d := range t.dims {
		at, why := columnOf(header, d.name)
		if needed[i] && at < 0 {
			r.lacks(l, d.name, header, why)
		}
		m.columns = append(m.columns, at)
	}
	for _, p := range t.body {
		if p.dim < 0 || m.columns[p.dim] >= 0 {
			m.body = append(m.body, p)
			continue
		}
		name := t.dims[p.dim].name
		if p.whole {
			r.lacks(l, name, header, "")
		}
		m.body = append(m.body, piece{text: p.encoding.encode("{" + name + "}"), dim: -1})
	}
	for _, name := range l.job.askedParams(s.page) {
		if at, _ := columnOf(header, name); at >= 0 {
			m.names, m.carried = append(m.names, name), append(m.carried, at)
		}
	}
	if len(r.problems) > 0 {
		return nil, &Error{Path: l.job.Path, Problems: r.sorted()}
	}
	return m, nil
}

// columnOf finds a name in a header; -1 when it is not there, or not only once.
func columnOf(header []string, name string) (at int, why string) {
	at = -1
	for i, h := range header {
		switch {
		case strings.TrimSpace(h) != name:
		case at >= 0:
			return -1, ", which has it twice"
		default:
			at = i
		}
	}
	return at, ""
}

// lacks reports a column that is not there.
func (r *report) lacks(l *List, name string, header []string, why string) {
	if why == "" {
		if near := nearest(name, header); near != "" {
			why = fmt.Sprintf(", did you mean {%s}?", shorten(strings.TrimSpace(near)))
		}
	}
	p := l.url
	p.Message = fmt.Sprintf("{%s} is no column of %s (its header: %s)%s", shorten(name), l.Name(), showHeader(header), why)
	if !slices.Contains(r.problems, p) {
		r.problems = append(r.problems, p)
	}
}

// showHeader is a header as a message can show it.
func showHeader(header []string) string {
	if len(header) == 0 {
		return "nothing"
	}
	var shown []string
	for _, h := range header[:min(len(header), 20)] {
		shown = append(shown, shorten(strings.TrimSpace(h)))
	}
	text := strings.Join(shown, ", ")
	if more := len(header) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
