package crawl

import (
	"fmt"
	"strings"

	"dogear/crawl/job"
	"dogear/state"
)

// enoughPages is how many pages tell something of a field once the run is over; while it goes on, state.FillPages do.
const enoughPages = 5

// Unfilled is a field that no page has ever filled, though there were pages enough to tell.
type Unfilled struct {
	Table, Field string
	Selector     string // as the job says; several when several kinds of page fill the table
	Pages        int64
	Rejects      bool // every record was rejected because of it
}

// String says it to the user, with what to do next.
func (u Unfilled) String() string {
	what := fmt.Sprintf("%s.%s was never filled in the first %d pages", u.Table, u.Field, u.Pages)
	if u.Rejects {
		what = fmt.Sprintf("every record of the first %d pages was rejected because of %s.%s", u.Pages, u.Table, u.Field)
	}
	return fmt.Sprintf("%s: its selector %s may be wrong (dogear try JOB shows it)", what, u.Selector)
}

// fieldWatch are the fields that no page has filled so far.
type fieldWatch []watchedField

type watchedField struct {
	place    int // in state.Run.Fields
	selector string
	seen     int64 // records that it had been looked for in before this run
}

func seen(f *state.FieldFill) int64 { return f.Read() + f.Rejected }

// watchFields picks the fields that depend on what a page looks like: a value and a fact of the request are always
// there.
func watchFields(j *job.Job, fields []state.FieldFill) fieldWatch {
	selectors := selectorsOf(j)
	var w fieldWatch
	for i := range fields {
		f := &fields[i]
		if s := selectors[[2]string{f.Table, f.Field}]; s != "" && f.Filled == 0 {
			w = append(w, watchedField{place: i, selector: j.Hide(s), seen: seen(f)})
		}
	}
	return w
}

// selectorsOf has, by table and field, where a field is looked for; "" when it is not in the text of every kind of
// page.
func selectorsOf(j *job.Job) map[[2]string]string {
	selectors := map[[2]string]string{}
	for i := range j.Pages {
		for _, r := range j.Pages[i].Records {
			for k, source := range r.Sources {
				id := [2]string{r.Table.Name, r.Table.Fields[k].Name}
				text, known := selectors[id]
				selectors[id] = joined(text, selectorOf(source), known)
			}
		}
	}
	return selectors
}

func joined(text, more string, known bool) string {
	switch {
	case !known:
		return more
	case text == "" || more == "":
		return ""
	case strings.Contains(text, more):
		return text
	}
	return text + " or " + more
}

func selectorOf(s job.Source) string {
	text := s.JSON
	if s.CSS != "" || s.Attr != "" {
		text = s.CSS
		if s.Attr != "" {
			text += "@" + s.Attr
		}
	}
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// take returns the fields of which at least so many pages tell that they are never filled, some of them in this run.
// They and those that were filled are watched no more.
func (w *fieldWatch) take(fields []state.FieldFill, pages int64) []Unfilled {
	var found []Unfilled
	left := (*w)[:0]
	for _, one := range *w {
		f := &fields[one.place]
		rejects := f.Read() == 0 && aloneRejects(fields, one.place)
		switch {
		case f.Filled > 0:
		case f.Pages >= pages && seen(f) > one.seen && (f.Read() > 0 || rejects):
			found = append(found, Unfilled{f.Table, f.Field, one.selector, f.Pages, rejects})
		default:
			left = append(left, one)
		}
	}
	*w = left
	return found
}

// aloneRejects reports whether no other field of the table has rejected a record.
func aloneRejects(fields []state.FieldFill, place int) bool {
	for i := range fields {
		if i != place && fields[i].Table == fields[place].Table && fields[i].Rejected > 0 {
			return false
		}
	}
	return fields[place].Rejected > 0
}

// watchFields warns of fields that should have been filled by now, each once.
func (e *engine) watchFields() {
	for _, u := range e.fields.take(e.state.Fields(), state.FillPages) {
		u.Pages = state.FillPages // a commit may bring more than one
		e.warn("%s", u)
	}
}
