package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// result is what the rounds of one comparison brought.
type result struct {
	tasks        int64
	dogear, loop []usage // one a round
}

// inTurns lets dogear and the loop do the same work, one after the other; the order changes from round to round, so that
// what the first of a round leaves behind falls on both.
func inTurns(tb testing.TB, w work, rounds int) *result {
	tb.Helper()
	r := &result{tasks: w.tasks}
	for i := range rounds {
		if i%2 == 0 {
			r.dogear = append(r.dogear, w.byDogear(tb))
			r.loop = append(r.loop, w.byLoop(tb))
		} else {
			r.loop = append(r.loop, w.byLoop(tb))
			r.dogear = append(r.dogear, w.byDogear(tb))
		}
	}
	return r
}

// ratios are dogear's products per second divided by the loop's, by round.
func (r *result) ratios() []float64 {
	ratios := make([]float64, len(r.dogear))
	for i := range ratios {
		ratios[i] = r.loop[i].took.Seconds() / r.dogear[i].took.Seconds()
	}
	return ratios
}

func (r *result) perSecond(u usage) float64 { return float64(r.tasks) / u.took.Seconds() }

// cpuPerTask is in microseconds.
func (r *result) cpuPerTask(u usage) float64 {
	return float64(u.cpu) / float64(time.Microsecond) / float64(r.tasks)
}

func megabytes(u usage) float64 { return float64(u.peak) / 1e6 }

func (r *result) report(b *testing.B) {
	ratios := r.ratios()
	b.ReportMetric(0, "ns/op") // means nothing here
	b.ReportMetric(median(ratios), "ratio-median")
	b.ReportMetric(slices.Min(ratios), "ratio-min")
	b.ReportMetric(slices.Max(ratios), "ratio-max")
	for _, who := range []struct {
		name string
		runs []usage
	}{{"dogear", r.dogear}, {"loop", r.loop}} {
		b.ReportMetric(medianOf(who.runs, r.perSecond), who.name+"-products/s")
		b.ReportMetric(medianOf(who.runs, r.cpuPerTask), who.name+"-µs/task")
		if who.runs[0].peak > 0 {
			b.ReportMetric(medianOf(who.runs, megabytes), who.name+"-MB")
		}
	}
}

// String is the result as a table for people.
func (r *result) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "  %-8s %11s %12s %8s   products/s of each round\n", "", "products/s", "CPU µs/task", "peak MB")
	for _, who := range []struct {
		name string
		runs []usage
	}{{"dogear", r.dogear}, {"loop", r.loop}} {
		fmt.Fprintf(&s, "  %-8s %11.0f %12.1f %8.1f  ", who.name,
			medianOf(who.runs, r.perSecond), medianOf(who.runs, r.cpuPerTask), medianOf(who.runs, megabytes))
		for _, u := range who.runs {
			fmt.Fprintf(&s, " %.0f", r.perSecond(u))
		}
		fmt.Fprintln(&s)
	}
	ratios := r.ratios()
	fmt.Fprintf(&s, "  dogear is %.2f times as fast (%.2f to %.2f)\n", median(ratios), slices.Min(ratios), slices.Max(ratios))
	return s.String()
}

func medianOf(runs []usage, of func(usage) float64) float64 {
	values := make([]float64, len(runs))
	for i, u := range runs {
		values[i] = of(u)
	}
	return median(values)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
