package job

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"dogear/schema"
)

// table is a record table and how it was declared, to compare with a second declaration.
type table struct {
	*schema.Table
	declaration string
	line        int
}

// records reads one table that a page fills.
func (l *loader) records(n *node) (Records, bool) {
	mark := l.mark()
	m := recordsKeys.read(l.report, n)
	sound := l.quietSince(mark)
	if m == nil {
		return Records{}, false
	}
	var rec Records
	if each := m["each"]; each != nil {
		rec.Each = l.each(each)
	}
	fields := m["fields"]
	if fields == nil || fields.kind != dict || len(fields.entries) == 0 {
		if fields == nil {
			fields = n
		}
		if fields.kind != broken && (fields != n || sound) {
			l.at(fields, "records needs fields: a map of names and selectors, such as fields: {title: h2}")
		}
		return rec, false
	}
	t := &schema.Table{Name: tableName(l.job.Name)}
	if name := m["table"]; name != nil {
		t.Name, _ = l.text(name, "table")
	}
	mark = l.mark()
	l.compile(&schema.Table{Name: t.Name, Fields: []schema.Field{{Name: "name"}}}, nil, m, n)
	props := l.fields(t, &rec, fields)
	l.key(t, m["key"])
	if l.quietSince(mark) {
		l.compile(t, props, m, n)
	}
	rec.Table = l.shared(t, m, n)
	return rec, true
}

var notInName = regexp.MustCompile(`[^\p{L}\d_]`)

// tableName makes a table name of a job's name, which is often a file's: my-movies fills the table my_movies.
func tableName(name string) string {
	name = notInName.ReplaceAllString(name, "_")
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return string([]rune(name)[:min(63, len([]rune(name)))])
}

// fields reads the fields of a table and returns the nodes of their properties, in the order of t.Fields. Each field that is
// sound by itself is compiled alone, so that every fault is found, not only the table's first.
func (l *loader) fields(t *schema.Table, rec *Records, fields *node) []map[string]*node {
	var all []map[string]*node
	seen := map[string]*node{}
	for _, e := range fields.entries {
		if l.again(seen, e) {
			continue
		}
		seen[e.key.text] = e.value
		before := len(l.problems)
		f := schema.Field{Name: e.key.text}
		source, props := l.field(&f, e)
		l.fits(&source, rec.Each, e.key.text, e.value)
		t.Fields = append(t.Fields, f)
		rec.Sources = append(rec.Sources, source)
		all = append(all, props)
		if len(l.problems) > before || e.value.kind == broken {
			continue
		}
		alone := schema.Table{Name: "alone", Fields: []schema.Field{f}}
		if err := alone.Compile(); err != nil {
			l.fieldProblem(err, props)
		}
	}
	return all
}

// key reads the names of the fields that identify a record.
func (l *loader) key(t *schema.Table, n *node) {
	if n == nil {
		return
	}
	var names []string
	for _, f := range t.Fields {
		names = append(names, f.Name)
	}
	for _, item := range l.many(n, "key") {
		name, ok := l.text(item, "key")
		if !ok {
			continue
		}
		if _, known := t.Field(name); !known {
			l.at(item, "key names no field: %s%s", item.quote(), meant(item, names))
			continue
		}
		t.Key = append(t.Key, name)
	}
}

// compile checks the table as a whole. props are needed for the errors of its fields only.
func (l *loader) compile(t *schema.Table, props []map[string]*node, m map[string]*node, at *node) {
	err := t.Compile()
	if err == nil {
		return
	}
	var wrong *schema.FieldError
	if !errors.As(err, &wrong) {
		l.badValue(at, err)
		return
	}
	if i, ok := t.Field(wrong.Field); ok && wrong.What != "key" && i < len(props) {
		l.fieldProblem(err, props[i])
		return
	}
	if n := m[wrong.What]; n != nil {
		l.badValue(n, fmt.Errorf("%s: %w", wrong.What, wrong.Err))
		return
	}
	if l.secretName {
		l.at(at, "the job's name, filled in, can't be the name of this table; give it one with table:")
		return
	}
	l.at(at, "without table: this table is called %q after the job, but %v; give it a name with table:", t.Name, wrong.Err)
}

// fieldProblem reports an error of schema at the property that it is about.
func (l *loader) fieldProblem(err error, props map[string]*node) {
	var wrong *schema.FieldError
	if !errors.As(err, &wrong) {
		l.badValue(props["name"], err)
		return
	}
	at := props[wrong.What]
	if at == nil {
		at = props["name"]
	}
	var others []*node
	for _, what := range []string{"min", "max", "in"} {
		if n := props[what]; n != nil && n != at {
			others = append(others, n)
		}
	}
	l.badValue(at, fmt.Errorf("field %q, %s: %w", shorten(wrong.Field), wrong.What, wrong.Err), others...)
}

// shared returns the table that pages with the same declaration fill together. Only where the text stands on the page
// may differ between them.
func (l *loader) shared(t *schema.Table, m map[string]*node, at *node) *schema.Table {
	name := strings.ToLower(t.Name)
	declaration := declare(t)
	first, again := l.tables[name]
	switch {
	case !again:
		l.tables[name] = table{t, declaration, at.line}
		l.job.tables = append(l.job.tables, t)
		return t
	case first.declaration != declaration && m["table"] != nil:
		l.at(m["table"], "the table %s is declared differently in line %d; only the sources of its fields may differ", m["table"].quote(), first.line)
	case first.declaration != declaration:
		l.at(at, "this table has no name and is another than that of line %d; give it one with table:", first.line)
	}
	return first.Table
}

// declare writes down everything about a table except the sources.
func declare(t *schema.Table) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%q %q\n", t.Name, t.Key)
	text := func(s *string) string {
		if s == nil {
			return "-"
		}
		return fmt.Sprintf("%q", *s)
	}
	for _, f := range t.Fields {
		fmt.Fprintf(&out, "%q %v %v %s %v %v %s %s %v %q %q %q\n", f.Name, f.Type, f.Required, text(f.Default),
			f.Match, f.Remove, text(f.Min), text(f.Max), f.Clamp, f.In, f.Decimal, f.Layout)
	}
	return out.String()
}
