package cli

import (
	"encoding/json"
	"fmt"

	"dogear/schema"
)

// rejects shows the first records that are not kept with all that they said, and of the next ones why they are not.
func (s *sheet) rejects(table *schema.Table, rejects []schema.Reject) {
	for n, r := range rejects[:min(len(rejects), triedRows)] {
		text := fmt.Sprintf("%s.%s: %s", r.Table, r.Field, r.Reason)
		fmt.Fprintf(s, "  %s %s\n", s.red("rejected"), s.wrap(fit(visible(text), maxLine), 11))
		if n < triedLists {
			s.raw(table, r)
		}
	}
	if more := len(rejects) - triedRows; more > 0 {
		fmt.Fprintf(s, "  … and %s more rejected\n", count(int64(more)))
	}
}

// raw lists the texts of a rejected record, before they were cleaned.
func (s *sheet) raw(table *schema.Table, r schema.Reject) {
	var texts map[string]*string
	if err := json.Unmarshal([]byte(r.Raw), &texts); err != nil { // it is ours, but a secret may have been hidden in it
		fmt.Fprintf(s, "    %s\n", fit(cell(r.Raw), s.width-4))
		return
	}
	names := 0
	for i := range table.Fields {
		names = max(names, min(cellWidth(table.Fields[i].Name), s.width/3))
	}
	left := max(s.width-4-names-2*gridGap, leastColumn)
	for i := range table.Fields {
		name := table.Fields[i].Name
		text := s.faint("nothing found")
		if raw := texts[name]; raw != nil {
			text = fit(fmt.Sprintf("%q", visible(lineFeeds.Replace(*raw))), left)
		}
		fmt.Fprintf(s, "    %s  %s\n", pad(fit(name, names), names, false), text)
	}
}
