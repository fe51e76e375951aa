package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"dogear/crawl"
	"dogear/export"
)

// maxReported is how many lines an import says about what is damaged, and maxText how many bytes of it they show.
const (
	maxReported = 20
	maxText     = 200
)

// importReport says what in a checkpoint could not be taken over, where it stands.
type importReport struct {
	w       io.Writer
	hide    func(string) string // takes the job's secrets out of a text
	said    int
	unsaid  int64
	skipped map[string]int64 // entries by why they were left out
}

// skip tells of an entry that is left out.
func (r *importReport) skip(d export.Damage) {
	r.leaveOut(d.What, 1)
	r.note(d)
}

// problem tells of damage that costs no entry that could be counted.
func (r *importReport) problem(d export.Damage) { r.note(d) }

func (r *importReport) leaveOut(why string, n int64) {
	if n == 0 {
		return
	}
	if r.skipped == nil {
		r.skipped = map[string]int64{}
	}
	r.skipped[why] += n
}

func (r *importReport) note(d export.Damage) {
	if r.said == maxReported {
		r.unsaid++
		return
	}
	r.said++
	text := d.Place.String() + ": " + d.What
	if d.Text != "" {
		text += ": " + r.shown(d.Text)
	}
	fmt.Fprintln(r.w, visible(text))
}

// shown is a text from a checkpoint as it may stand in a terminal: short, and without a password.
func (r *importReport) shown(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
			text = scheme + "://***" + rest[at:]
		}
	}
	text = r.hide(text)
	if len(text) > maxText {
		cut := maxText
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return text
}

// summary says what the import came to and what is next.
func (i *importer) summary(t target, s *crawl.Summary) {
	w, r, c := i.report.w, &i.report, s.Counts
	if r.unsaid > 0 {
		fmt.Fprintf(w, "… and %s more like these\n", count(r.unsaid))
	}
	var skipped int64
	for _, n := range r.skipped {
		skipped += n
	}
	fmt.Fprintf(w, "%s: imported %s done, %s failed; %s skipped\n", i.job.Name, count(i.counts.Done),
		count(i.counts.Failed), counted(skipped, "entry"))
	for _, why := range slices.Sorted(maps.Keys(r.skipped)) {
		fmt.Fprintf(w, "  skipped: %s: %s\n", count(r.skipped[why]), why)
	}
	if i.implied > 0 {
		fmt.Fprintf(w, "  %s of the done ones by current_page %s\n", count(i.implied), count(i.left.Page().Number))
	}
	if i.others > 0 {
		fmt.Fprintf(w, "  %s that no start of the job yields, taken for its only kind of page\n", counted(i.others,
			"URL"))
	}
	fmt.Fprintf(w, "  now %s done, %s failed, %s of %s left, in %s\n", count(c.Done), count(c.Failed), count(c.Left()),
		count(c.Total()), t.statePath)
	if c.Failed > 0 {
		fmt.Fprintf(w, "  dogear retry %s         tries the failed ones again, then the rest\n", shown(t))
	}
	fmt.Fprintf(w, "  dogear run %s           carries on\n", shown(t))
}
