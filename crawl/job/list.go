package job

import (
	"path/filepath"
	"strings"

	"dogear/schema"
)

// Stdin is the List.From of the standard input.
const Stdin = "-"

// List is where a start that is read has its requests: a file, or the standard input. A line is a URL; with a url
// beside it, what a line or the columns of a CSV put into that.
type List struct {
	From string // as the job file writes it

	path  string
	spot  Problem // where from: stands, and where the url does
	url   Problem
	line  string // the parameter that each line is the value of; "" in a CSV and in a list of URLs
	csv   bool
	comma rune // "": found in the header
	start *Start
	job   *Job
}

// List returns where the start is read from; nil when its requests are computed.
func (s *Start) List() *List { return s.list }

// Name is what messages call the list.
func (l *List) Name() string {
	if l.From == Stdin {
		return "standard input"
	}
	return l.From
}

// locate returns a path of the job file, which is relative to that.
func (j *Job) locate(path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(j.Path), path)
}

// askedParams are the parameters that the rules of a kind of page ask for, each once.
func (j *Job) askedParams(page string) []string {
	p, ok := j.Page(page)
	if !ok {
		return nil
	}
	var names []string
	for _, meta := range p.Metas() {
		if name, ok := strings.CutPrefix(meta, paramPrefix); ok {
			names = append(names, name)
		}
	}
	return names
}

// maker makes the requests of a list, once the columns of its fields are known.
type maker struct {
	list    *List
	columns []int // of the template's dimensions
	pieces  []piece
	body    []piece
	carried []int // columns, in the order of names
	names   []string
	plain   bool // the line is the URL
	values  []string
}

// request makes the request of a record. why says what is wrong with it, "" when nothing is.
func (m *maker) request(fields []string) (q schema.Request, why string) {
	s := m.list.start
	q = schema.Request{Page: s.page, Method: s.template.method}
	if m.plain {
		q.URL, q.Body = inURL.encode(fields[0]), put(m.body, nil)
	} else {
		for i, at := range m.columns {
			if at >= 0 {
				m.values[i] = fields[at]
			}
		}
		if why := m.empty(fields); why != "" {
			return q, why
		}
		q.URL, q.Body = put(m.pieces, m.values), put(m.body, m.values)
	}
	if !webURL(m.list.job.Fill(q.URL)) {
		return q, "not a whole URL with http:// or https:// in front"
	}
	q.URL = m.list.job.HideURL(q.URL)
	q.Carry = m.carry(fields)
	return q, ""
}

// empty says which value is missing that a URL can't do without: behind a ? it may be.
func (m *maker) empty(fields []string) string {
	for _, p := range m.pieces {
		if p.dim >= 0 && p.encoding != inQuery && strings.TrimSpace(m.values[p.dim]) == "" {
			return "nothing in the column " + shorten(m.list.start.template.dims[p.dim].name)
		}
	}
	return ""
}

func webURL(url string) bool {
	scheme, _, whole := strings.Cut(url, "://")
	if !whole || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return false
	}
	_, err := schema.Resolve("", url)
	return err == nil
}

// carry is what the rules of the page ask for, as schema.Request has it.
func (m *maker) carry(fields []string) string {
	if len(m.carried) == 0 {
		return ""
	}
	var out strings.Builder
	for i, at := range m.carried {
		out.WriteString(map[bool]string{true: `{"`, false: `,"`}[i == 0])
		out.WriteString(jsonEscape(paramPrefix+m.names[i]) + `":"` + jsonEscape(fields[at]) + `"`)
	}
	return out.String() + "}"
}
