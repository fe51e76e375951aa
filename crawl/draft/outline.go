package draft

import (
	"strings"

	"dogear/schema"
)

// outline is what a job file will say.
type outline struct {
	head   []string // comments above everything
	name   string
	table  string // "": the name will do
	start  string
	notes  []string // comments below the start
	each   string
	count  int // records on the page
	key    string
	left   int // members that no field is for
	fields []field
	follow string // source of the link to the next page; "": none
	why    string // a comment on follow
	hints  []string
	next   string // see Draft
}

// field is one field of a record.
type field struct {
	name    string
	css     string // with @attr; or
	json    string // or
	meta    string
	typ     schema.Type
	decimal string // the decimal sign, when it must be told
	note    string // a comment: an example
}

func newOutline(p Page, name string) *outline {
	o := &outline{name: name, start: p.URL, table: tableFor(name)}
	o.head = []string{
		"Drafted by dogear init from one page; the comments on the fields show what stood there.",
		"A first version: look it over, and see with dogear try what it gives before you run it.",
	}
	if p.Final != p.URL {
		o.notes = append(o.notes, "it redirects to "+p.Final)
	}
	return o
}

// tableFor returns the table that the job must name because its own name can't be one; "" when it can.
func tableFor(name string) string {
	fits := func(name string) bool {
		t := schema.Table{Name: name, Fields: []schema.Field{{Name: "a"}}}
		return t.Compile() == nil
	}
	if fits(strings.NewReplacer("-", "_", ".", "_").Replace(name)) {
		return ""
	}
	if s := snake(name); fits(s) {
		return s
	}
	return "items"
}

// hint adds comments at the end of the file, apart from what stands above them. Lines that begin with spaces are for
// the user to copy.
func (o *outline) hint(lines ...string) {
	if len(o.hints) > 0 {
		o.hints = append(o.hints, "")
	}
	o.hints = append(o.hints, lines...)
}

// names returns a namer that knows the fields there are.
func (o *outline) names() *namer {
	n := &namer{taken: map[string]bool{}}
	for _, f := range o.fields {
		n.taken[f.name] = true
	}
	return n
}
