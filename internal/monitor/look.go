package monitor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"dogear/schema"
	"dogear/state"
)

const (
	recentShown  = 12
	recordsShown = 10
	hostsShown   = 20
	textShown    = 400 // characters of what a site wrote
)

// look reads everything once. It is cheap at any size of the job: counters, the ends of tables, and a cache of what is
// not.
func (m *Monitor) look(now time.Time) *moment {
	v := m.count(now)
	ended := v.Ended != ""
	for _, h := range m.run.Hosts() {
		if left := h.Until.Sub(now); left > 0 && !ended {
			v.Hosts = append(v.Hosts, waiting{h.Name, math.Ceil(left.Seconds()), cut(h.Why)})
		}
	}
	slices.SortStableFunc(v.Hosts, func(a, b waiting) int { return int(b.For - a.For) })
	v.Waiting = len(v.Hosts)
	v.Hosts = v.Hosts[:min(len(v.Hosts), hostsShown)]
	if err := m.read(v, ended); err != nil {
		v.Trouble = cut(err.Error())
	}
	return v
}

// count fills in what is known without a query.
func (m *Monitor) count(now time.Time) *moment {
	f := m.figures()
	c, t := f.Counts, f.Tally
	v := &moment{
		At: now.UnixMilli(), Elapsed: tenths(now.Sub(m.run.Began).Seconds()), Ended: m.ended(),
		Total: c.Total(), Pending: c.Pending + c.Ahead, InFlight: c.InFlight, Done: c.Done, Failed: c.Failed,
		Percent: percent(c), PerSecond: tenths(m.samples.now()), Active: f.Active, Limit: f.Limit,
		Records: t.Records, Rejects: t.Rejects, Retried: t.Retried, Bytes: t.Bytes, Speed: m.samples.speed(),
		Failures: []state.FailureGroup{}, Recent: []state.RecentAttempt{}, Hosts: []waiting{}, Tables: []preview{},
	}
	if v.Ended != "" {
		v.Active = 0
		return v
	}
	if v.PerSecond > 0 || c.Left() == 0 {
		eta := math.Ceil(float64(c.Left()) / max(v.PerSecond, 0.1))
		v.ETA = &eta
	}
	if wait := f.Due.Sub(now).Seconds(); wait > 1 && f.Active == 0 && c.Left() > 0 {
		wait = math.Ceil(wait)
		v.Due, v.ETA = &wait, nil
	}
	return v
}

// ended is how the run did, "" while it goes on.
func (m *Monitor) ended() string {
	select {
	case <-m.over:
		return m.end.How
	default:
		return ""
	}
}

// percent is that of the view progress: 100 only when nothing is left.
func percent(c state.Counts) float64 {
	if c.Left() == 0 {
		return 100
	}
	return min(tenths(100*float64(c.Done+c.Failed)/float64(max(c.Total(), 1))), 99.9)
}

// read fills in what stands in the state file.
func (m *Monitor) read(v *moment, fresh bool) (err error) {
	if v.Failures, err = m.moments.failures.get(m.ctx, fresh); err != nil {
		return err
	}
	v.Failures = slices.Clone(v.Failures) // what is cached stays whole
	for i := range v.Failures {
		f := &v.Failures[i]
		f.ExampleURL, f.ExampleError = cut(f.ExampleURL), cut(f.ExampleError)
	}
	return m.store.Snapshot(m.ctx, func(s *state.Store) error {
		if v.Recent, err = s.Recent(m.ctx, recentShown); err != nil {
			return err
		}
		for i := range v.Recent {
			a := &v.Recent[i]
			a.URL, a.Error = cut(a.URL), cut(a.Error)
		}
		for _, t := range m.run.Tables {
			p, err := previewOf(m.ctx, s, t)
			if err != nil {
				return err
			}
			v.Tables = append(v.Tables, p)
		}
		return nil
	})
}

func previewOf(ctx context.Context, s *state.Store, t *schema.Table) (preview, error) {
	p := preview{Table: t.Name, Rows: [][]*string{}}
	for i := range t.Fields {
		kind := t.Fields[i].Type.Kind
		p.Columns = append(p.Columns, t.Fields[i].Name)
		p.Numbers = append(p.Numbers, kind == schema.Int || kind == schema.Real || kind == schema.Decimal)
	}
	records, err := s.Latest(ctx, t, recordsShown)
	if err != nil {
		return p, fmt.Errorf("preview %s: %w", t.Name, err)
	}
	for _, r := range records {
		row := make([]*string, len(r.Values))
		for i, v := range r.Values {
			if v != nil {
				text := cut(t.Text(i, v))
				row[i] = &text
			}
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// cut shortens a text that a site made as long as it liked.
func cut(s string) string {
	if len(s) <= textShown {
		return s
	}
	return strings.ToValidUTF8(s[:textShown], "") + "…"
}
