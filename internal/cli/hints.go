package cli

import (
	"fmt"
	"strings"

	"dogear/crawl/extract"
	"dogear/schema"
)

// hints says of each field that got no value in any record why that is, and of a table without records.
func (s *sheet) hints(seen *extract.TableSight) {
	if seen.Matches == 0 {
		s.hint("each", fmt.Sprintf("`%s` matches nothing on this page", seen.Each))
		return
	}
	for i := range seen.Fields {
		f := &seen.Table.Fields[i]
		if text := why(seen, i); text != "" {
			if f.Default != nil {
				text += "; the default stands in for it"
			}
			s.hint(f.Name, text)
		} else if len(seen.Rows) > 0 && allNull(seen.Rows, i) {
			s.hint(f.Name, unread(f, &seen.Fields[i]))
		}
	}
}

func (s *sheet) hint(name, text string) {
	fmt.Fprintf(s, "  %s %s\n", s.red("!"), s.wrap(name+": "+fit(visible(text), maxLine), 4))
}

// why says why no record of the page has a text for a field; "" when one has.
func why(seen *extract.TableSight, i int) string {
	f := &seen.Fields[i]
	source := "`" + f.Source + "`"
	if f.Source == "" {
		source = "the element itself"
	}
	switch {
	case f.Texts > 0:
		return ""
	case strings.HasPrefix(f.Source, "meta: carry."):
		return source + " has no value here: it comes along with a link, and this page was asked for by its URL"
	case f.Fact:
		return source + " has no value for this page"
	case f.Matches == 0 && seen.Each == "":
		return source + " matches nothing on this page"
	case f.Matches == 0 && seen.Matches == 1:
		return fmt.Sprintf("%s matches nothing in the only `%s`", source, seen.Each)
	case f.Matches == 0:
		return fmt.Sprintf("%s matches nothing in any of the %s `%s`", source, count(int64(seen.Matches)), seen.Each)
	case f.Found == 0 && f.JSON:
		return source + " is null"
	case f.Found == 0:
		return source + " matches, but what it matches has no such attribute"
	}
	return source + " matches, but there is no text in it"
}

// unread is why a field of which the page has texts is NULL in all records.
func unread(f *schema.Field, seen *extract.FieldSight) string {
	text := fmt.Sprintf("`%s` says %q, which gives no %s", seen.Source, fit(seen.Text, 40), f.Type)
	switch {
	case f.Match != nil && f.Remove != nil:
		text += " after match and remove"
	case f.Match != nil:
		text += fmt.Sprintf(" after match: %s", f.Match)
	case f.Remove != nil:
		text += fmt.Sprintf(" after remove: %s", f.Remove)
	}
	return text
}

func allNull(rows []schema.Row, field int) bool {
	for _, r := range rows {
		if r.Values[field] != nil {
			return false
		}
	}
	return true
}
