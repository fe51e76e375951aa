package draft

import (
	"strings"

	"dogear/schema"
)

// How wide a job file is, in columns.
const (
	fileWidth = 100
	noteAt    = 60 // where the comments of a block stand at the latest
)

// line is one line of the file with its comment.
type line struct{ text, note string }

// text writes the job file.
func (o *outline) text() []byte {
	var b strings.Builder
	for _, c := range o.head {
		write(&b, "", c)
	}
	writeBlock(&b, []line{{"name: " + scalar(o.name), ""}, {"start: " + scalar(o.start), ""}})
	for _, c := range o.notes {
		write(&b, "", c)
	}
	writeBlock(&b, []line{{"rate: 5/s", "per host"}})
	b.WriteByte('\n')
	writeBlock(&b, o.records())
	writeBlock(&b, o.fieldLines())
	if o.follow != "" {
		b.WriteByte('\n')
		writeBlock(&b, []line{{"follow: " + o.follow, o.why}})
	}
	if len(o.hints) > 0 {
		b.WriteByte('\n')
	}
	for _, c := range o.hints {
		if c == "" {
			b.WriteByte('\n')
			continue
		}
		write(&b, "", c)
	}
	return []byte(b.String())
}

func (o *outline) records() []line {
	lines := []line{{"records:", ""}}
	if o.table != "" {
		lines = append(lines, line{"  table: " + o.table, "not the job's name, which no table can have"})
	}
	if o.each != "" {
		lines = append(lines, line{"  each: " + scalar(o.each), "one record per match, here " + number(o.count)})
	}
	if o.key != "" {
		lines = append(lines, line{"  key: " + o.key, "a record with the same one replaces the first"})
	}
	return append(lines, line{"  fields:", ""})
}

func (o *outline) fieldLines() []line {
	var lines []line
	for _, f := range o.fields {
		lines = append(lines, line{"    " + f.text(), f.note})
	}
	return lines
}

// text is the field as the job file has it: the short form where it says enough.
func (f *field) text() string {
	source := "css: " + scalar(f.css)
	short := scalar(f.css)
	if f.json != "" {
		source, short = "json: "+scalar(f.json), scalar(f.json)
	}
	if f.meta != "" {
		return f.name + ": {meta: " + f.meta + "}"
	}
	if f.typ.Kind == schema.Text {
		return f.name + ": " + short
	}
	typ := f.typ.String()
	if f.typ.Kind == schema.Decimal {
		typ = `"` + typ + `"`
	}
	text := f.name + ": {" + source + ", type: " + typ
	if f.decimal != "" {
		text += `, decimal: "` + f.decimal + `"`
	}
	return text + "}"
}

// writeBlock writes lines with their comments below each other. A comment for which there is no room stands above its
// line.
func writeBlock(b *strings.Builder, lines []line) {
	at := 0
	for _, l := range lines {
		if n := columns(l.text) + 2; l.note != "" && n <= noteAt {
			at = max(at, n)
		}
	}
	for _, l := range lines {
		gap := max(at-columns(l.text), 2)
		note := comment(l.note)
		switch {
		case note == "":
			b.WriteString(l.text)
		case columns(l.text)+gap+2+columns(note) <= fileWidth:
			b.WriteString(l.text + strings.Repeat(" ", gap) + "# " + note)
		default:
			indent := len(l.text) - len(strings.TrimLeft(l.text, " "))
			write(b, l.text[:indent], note)
			b.WriteString(l.text)
		}
		b.WriteByte('\n')
	}
}

// write writes a comment that stands alone, in as many lines as it takes. One that begins with spaces is for the user
// to copy, and stays as it is.
func write(b *strings.Builder, indent, text string) {
	lead := text[:len(text)-len(strings.TrimLeft(text, " "))]
	if lead != "" {
		b.WriteString(indent + "# " + lead + comment(text) + "\n")
		return
	}
	rest := strings.Fields(comment(text))
	for len(rest) > 0 {
		row := indent + "#"
		for len(rest) > 0 && (row == indent+"#" || columns(row)+1+columns(rest[0]) <= fileWidth) {
			row += " " + rest[0]
			rest = rest[1:]
		}
		b.WriteString(row + "\n")
	}
}
