package job

import (
	"maps"
	"path/filepath"
	"strings"
)

// from reads a start that is read: {from: FILE}, with what its lines are put into when there is a url.
func (l *loader) from(m map[string]*node, params []entry, page string, asks asking) (Start, bool) {
	mark := l.mark()
	from := m["from"]
	given, ok := l.text(from, "from")
	if !ok {
		return Start{}, false
	}
	given = strings.TrimSpace(given)
	list := &List{From: strings.TrimSpace(from.raw), path: l.job.locate(given), spot: l.spot(from), job: l.job}
	switch {
	case given == "":
		l.at(from, "from is a file with a URL in each line, or - for the standard input, not nothing")
	case given == Stdin:
		list.From = Stdin
		l.onlyStdin(from)
	}
	if n := m["order"]; n != nil {
		l.at(n, "order: shuffle is for values that are counted; a file is read in its own order: shuffle its lines (shuf), "+
			"and leave order out")
	}
	for _, e := range params {
		l.strayValues(m["url"], e)
	}
	s := Start{page: page, list: list, template: &template{}}
	list.start = &s
	var filled []string
	l.kept = map[string]part{}
	if m["url"] != nil {
		filled = l.listURL(&s, m["url"], asks, isTable(given))
	} else {
		l.listOfURLs(&s, from, asks, isTable(given))
	}
	if !l.quietSince(mark) {
		return Start{}, false
	}
	s.describeList(from, m["url"], filled, asks.fact())
	maps.Copy(l.secrets, l.kept)
	return s, true
}

// spot is where a value stands.
func (l *loader) spot(n *node) Problem {
	r := report{lines: l.lines}
	r.at(n, "")
	return r.problems[0]
}

// onlyStdin sees to it that one start has the standard input.
func (l *loader) onlyStdin(from *node) {
	for i := range l.job.Starts {
		if list := l.job.Starts[i].list; list != nil && list.From == Stdin {
			l.at(from, "only one start can read the standard input, and that of line %d does", list.spot.Line)
		}
	}
}

// isTable says whether a file is a CSV, by its name.
func isTable(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".csv" || ext == ".tsv"
}

// strayValues reports a key of a start that is read which is no word of it.
func (l *loader) strayValues(url *node, e entry) {
	name := shorten(e.key.text)
	switch near := nearest(e.key.text, startKeys.known); {
	case e.key.text == "match" || e.key.text == "since":
		l.at(e.key, "%s is for a start with sitemap", name)
	case url != nil && strings.Contains(url.raw, "{"+e.key.text+"}"):
		l.at(e.key, "with from, the values of {%s} come from the file, so none stand here", name)
	case near != "":
		l.at(e.key, "unknown key %q, did you mean %q?", name, near)
	default:
		l.at(e.key, "unknown key %q: a start with from has no values beside it", name)
	}
}

// listOfURLs is a list without a url.
func (l *loader) listOfURLs(s *Start, from *node, asks asking, table bool) {
	if table {
		l.at(from, "a CSV needs url, with its columns in braces: {from: %s, url: \"https://host/{id}\"}, "+
			"or url: \"{url}\" for a column with whole URLs", from.quote())
		return
	}
	l.bind(s.template, asks, nil)
}

// listURL reads what the lines or columns are put into, and returns the variables that are filled in to it.
func (l *loader) listURL(s *Start, url *node, asks asking, table bool) (filled []string) {
	if _, ok := l.text(url, "the URL of a start"); !ok {
		return nil
	}
	text, filled, values := l.keep(url)
	if strings.ContainsAny(unmask(values), "{}") {
		l.bracesIn(url, filled)
		return nil
	}
	t, err := parseTemplate(text)
	if err != nil {
		l.badValue(url, err)
		return nil
	}
	if !l.listedURL(url, t) {
		return nil
	}
	s.template = t
	list := s.list
	list.url = l.spot(url)
	names, ok := l.columnNames(t, url)
	if !ok {
		return nil
	}
	inBody := asks.names()
	if list.csv = table || len(names) > 1; list.csv {
		if len(names)+len(inBody) == 0 {
			l.at(url, "the URL has no column of %s in it, such as {id}", shorten(list.From))
			return nil
		}
		l.bindColumns(t, asks, nil)
		if strings.EqualFold(filepath.Ext(list.path), ".tsv") {
			list.comma = '\t'
		}
		l.columns = true
	} else {
		if len(names) == 0 {
			names = inBody
		}
		if len(names) != 1 {
			l.at(url, "the URL has no {name} in the place where the lines of %s go", shorten(list.From))
			return nil
		}
		list.line = names[0]
		l.bindColumns(t, asks, names)
	}
	for _, d := range t.dims {
		l.params[d.name] = true
	}
	l.webTemplate(t, url)
	t.placed()
	return filled
}

// columnNames are the names in braces in the URL, each once.
func (l *loader) columnNames(t *template, url *node) (names []string, ok bool) {
	for _, d := range t.dims {
		if d.name == "" {
			l.at(url, "with from, braces in the URL are columns of the file, such as {id}; a range or {a,b} can't stand there")
			return nil, false
		}
		names = append(names, d.name)
	}
	return names, true
}

// webTemplate checks that a URL begins as one does.
func (l *loader) webTemplate(t *template, url *node) {
	if len(t.pieces) > 0 && t.pieces[0].dim >= 0 {
		return
	}
	before, _, whole := strings.Cut(t.front(), "://")
	if !whole || !strings.EqualFold(before, "http") && !strings.EqualFold(before, "https") {
		l.at(url, "a start is a whole URL with http:// or https:// in front, not %s", url.quote())
	}
}

// front is the text before the first value.
func (t *template) front() string {
	var out strings.Builder
	for _, p := range t.pieces {
		if p.dim >= 0 {
			break
		}
		out.WriteString(p.text)
	}
	return out.String()
}

// placed says of each value in the URL how it stands there.
func (t *template) placed() {
	var at place
	value := false // behind the = of a query
	for i := range t.pieces {
		p := &t.pieces[i]
		switch {
		case p.dim < 0:
			at.pass(p.text)
			if last := strings.LastIndexAny(p.text, "?&=#"); last >= 0 {
				value = p.text[last] == '='
			}
		case at.part == behind && value:
			p.encoding = inQuery
		case at.part == path:
			p.encoding = inPath
		default:
			p.encoding = inURL
		}
	}
}

// describeList is describe for a start that is read.
func (s *Start) describeList(from, url *node, filled []string, asks string) {
	text := []string{"from=" + word(s.list.From)}
	var content []string
	if len(from.filled) > 0 {
		content = append(content, from.text)
	}
	if url != nil {
		text = append(text, url.raw)
		if len(filled) > 0 {
			content = append(content, url.text)
		}
	}
	if asks != "" {
		text = append(text, asks)
	}
	text = append(text, "as="+s.page)
	if len(content) > 0 {
		text = append(text, "values="+digest(content...))
	}
	s.entry = strings.Join(text, " ")
}

// listedURL checks what is the same for all lines: a URL that no value can make one is the job's fault, not theirs. Of one
// that begins with a value nothing is known.
func (l *loader) listedURL(url *node, t *template) bool {
	var given strings.Builder
	for i, p := range t.pieces {
		switch {
		case p.dim < 0:
			given.WriteString(p.text)
		case i == 0:
			return true
		default:
			given.WriteByte('1')
		}
	}
	return l.webURL(url, given.String())
}
