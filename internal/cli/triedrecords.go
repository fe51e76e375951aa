package cli

import (
	"fmt"
	"strings"

	"dogear/crawl"
	"dogear/schema"
	"dogear/state"
)

// How many records of a table are shown: side by side, or as a list of fields each.
const (
	triedRows  = 10
	triedLists = 3
)

const null = "NULL"

// records shows what each table got of the page, and which of its fields got nothing.
func (s *sheet) records(t *crawl.Tried) {
	if err := t.Seen.Err; err != nil && t.Outcome.Error != err.Error() {
		s.WriteByte('\n')
		s.hint("page", err.Error())
	}
	for i := range t.Seen.Tables {
		seen := &t.Seen.Tables[i]
		s.WriteByte('\n')
		s.line(seen.Table.Name, "%s", found(t, len(seen.Rows), len(seen.Rejects)))
		s.rows(seen.Table, seen.Rows)
		if t.Seen.Err == nil {
			s.hints(seen)
		}
		s.rejects(seen.Table, seen.Rejects)
	}
}

func found(t *crawl.Tried, rows, rejects int) string {
	text := "no records"
	if rows > 0 {
		text = counted(int64(rows), "record")
	}
	if rejects > 0 {
		text += fmt.Sprintf(", %s rejected", count(int64(rejects)))
	}
	if o := &t.Outcome; rows > 0 && o.State != state.Done {
		text += "; a run keeps none of a page that failed"
	}
	return text
}

// rows shows several records side by side, and one, or what is too wide for that, as a list of fields.
func (s *sheet) rows(table *schema.Table, rows []schema.Row) {
	shown := min(len(rows), triedRows)
	text := ""
	if len(rows) > 1 {
		text = grid(s.columns(table, rows[:shown]), s.width)
	}
	if text == "" {
		if shown = min(len(rows), triedLists); len(rows) <= 1 {
			shown = len(rows)
		}
		text = s.lists(table, rows[:shown], len(rows) > 1)
	}
	s.WriteString(text)
	if more := len(rows) - shown; more > 0 {
		fmt.Fprintf(s, "  … and %s more\n", count(int64(more)))
	}
}

// columns makes a grid's columns of records.
func (s *sheet) columns(table *schema.Table, rows []schema.Row) []column {
	columns := make([]column, len(table.Fields))
	for i := range table.Fields {
		f := &table.Fields[i]
		c := &columns[i]
		c.name, c.kind = f.Name, f.Type.String()
		switch f.Type.Kind {
		case schema.Int, schema.Decimal, schema.Real:
			c.right, c.whole = true, true
		case schema.Bool, schema.Date, schema.Datetime:
			c.whole = true
		case schema.URL:
			c.cut = fitURL
		}
		c.paint = func(laid, raw string) string {
			if raw == null {
				return s.faint(laid)
			}
			return laid
		}
		for _, r := range rows {
			c.cells = append(c.cells, value(table, i, r.Values[i]))
		}
	}
	return columns
}

// lists writes each record as a list of field, type and value.
func (s *sheet) lists(table *schema.Table, rows []schema.Row, numbered bool) string {
	names, kinds := 0, 0
	for i := range table.Fields {
		names = max(names, min(cellWidth(table.Fields[i].Name), s.width/3))
		kinds = max(kinds, cellWidth(table.Fields[i].Type.String()))
	}
	left := max(s.width-gridIndent-names-kinds-2*gridGap, leastColumn)
	var out strings.Builder
	for n, row := range rows {
		if numbered {
			fmt.Fprintf(&out, "  %s\n", s.faint(fmt.Sprintf("record %d", n+1)))
		}
		for i := range table.Fields {
			f := &table.Fields[i]
			text := value(table, i, row.Values[i])
			switch {
			case text == null:
				text = s.faint(text)
			case f.Type.Kind == schema.URL, strings.HasPrefix(text, "http://"), strings.HasPrefix(text, "https://"):
				text = fitURL(text, left)
			default:
				text = fit(text, left)
			}
			fmt.Fprintf(&out, "  %s  %s  %s\n", pad(fit(f.Name, names), names, false), pad(f.Type.String(), kinds, false), text)
		}
	}
	return out.String()
}

// value is a value as it is shown. A text that looks like no value is put in quotes.
func value(table *schema.Table, i int, v any) string {
	if v == nil {
		return null
	}
	text := cell(table.Text(i, v))
	if text == "" || text == null {
		return `"` + text + `"`
	}
	return text
}

// cell is a stranger's text on one line. Its line feeds are no faults, and are not shown as such.
func cell(text string) string {
	return visible(lineFeeds.Replace(firstRunes(text, maxLine*maxRunes)))
}

var lineFeeds = strings.NewReplacer("\r\n", "⏎", "\n", "⏎", "\t", " ")
