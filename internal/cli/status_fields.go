package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"dogear/state"
)

const (
	statusWidth  = 80 // columns that the status keeps to where it can
	longestTable = 24 // columns of a table's name before its records
	topReasons   = 3
)

// declaredFields are the fields of the job as it is now. Of a job that can't be read they are not known: that is no
// reason to say nothing of its state.
func declaredFields(ctx context.Context, t target) map[string]bool {
	j, err := t.load(ctx)
	if err != nil {
		return nil
	}
	declared := map[string]bool{}
	for _, table := range j.Tables() {
		for i := range table.Fields {
			declared[fieldID(table.Name, table.Fields[i].Name)] = true
		}
	}
	return declared
}

func fieldID(table, field string) string { return strings.ToLower(table + "." + field) }

func (r *statusReport) readFields(ctx context.Context, s *state.Store) (err error) {
	if r.Reasons, err = s.RejectGroups(ctx, topReasons); err != nil {
		return err
	}
	if r.Fields, err = s.FieldCounts(ctx); err != nil || r.declared == nil {
		return err
	}
	r.Fields = slices.DeleteFunc(r.Fields, func(f state.FieldCount) bool { return !r.declared[fieldID(f.Table, f.Field)] })
	return nil
}

// fieldsOf are the counts of a table; none when nothing was counted in it.
func (r *statusReport) fieldsOf(table string) []state.FieldCount {
	var fields []state.FieldCount
	counted := false
	for _, f := range r.Fields {
		if f.Table == table {
			fields, counted = append(fields, f), counted || f.Read()+f.Rejected > 0
		}
	}
	if !counted {
		return nil
	}
	return fields
}

// printRecords says how many records the tables have of whose fields there is nothing to say.
func (r *statusReport) printRecords(w io.Writer) {
	for _, t := range r.Records {
		if r.fieldsOf(t.Table) == nil {
			fmt.Fprintf(w, "records in %s: %s\n", t.Table, count(t.Records))
		}
	}
}

// printFields says how well the fields of each table are filled.
func (r *statusReport) printFields(w io.Writer) {
	var lines [][]string
	for _, t := range r.Records {
		fields := r.fieldsOf(t.Table)
		if fields == nil {
			continue
		}
		head := fmt.Sprintf("%s (%s)", fit(t.Table, longestTable), counted(t.Records, "record"))
		lines = append(lines, nil, []string{head, "filled", "default", "empty", "rejected"})
		for _, f := range fields {
			lines = append(lines, []string{"  " + f.Field, filled(f), count(f.Defaulted), count(f.Empty), count(f.Rejected)})
		}
	}
	printNumbers(w, lines)
}

// filled is the share of the records that were read whose value is from the page, never rounded up to all or down to
// none.
func filled(f state.FieldCount) string {
	switch read := f.Read(); {
	case read == 0:
		return "-"
	case f.Filled == 0:
		return "never"
	case f.Filled*100 < read:
		return "<1%"
	default:
		return fmt.Sprintf("%d%%", f.Filled*100/read)
	}
}

// printNumbers aligns a column of names on the left with numbers on the right, within the screen: it is the names that
// are cut. A line of nothing is empty.
func printNumbers(w io.Writer, lines [][]string) {
	var widths []int
	for _, line := range lines {
		widths = append(widths, make([]int, max(0, len(line)-len(widths)))...)
		for i, text := range line {
			widths[i] = max(widths[i], cellWidth(text))
		}
	}
	if len(widths) == 0 {
		return
	}
	rest := 0
	for _, n := range widths[1:] {
		rest += 2 + n
	}
	widths[0] = max(min(widths[0], statusWidth-rest), 10)
	for _, line := range lines {
		for i, text := range line {
			if i == 0 {
				fmt.Fprint(w, pad(fit(visible(text), widths[0]), widths[0], false))
				continue
			}
			fmt.Fprint(w, "  ", pad(text, widths[i], true))
		}
		fmt.Fprintln(w)
	}
}

// printRejects says why records were rejected, and where they are.
func (r *statusReport) printRejects(w io.Writer) {
	if r.Rejects == 0 {
		return
	}
	fmt.Fprintf(w, "\nrejected records: %s (sqlite3 %s 'select * from rejects')\n", count(r.Rejects), quoted(r.State))
	number := 0
	for _, g := range r.Reasons {
		number = max(number, len(count(g.Rejects)))
	}
	for _, g := range r.Reasons {
		line := fmt.Sprintf("  %*s  %s.%s", number, count(g.Rejects), g.Table, g.Example)
		fmt.Fprintln(w, fit(visible(line), statusWidth))
	}
}
