package cli

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dogear/state"
)

const (
	ticksKept    = 5 * time.Minute // as long as the state file keeps them
	rateSpan     = 10 * time.Second
	hostsShown   = 3
	slowestShown = 3
	errorsShown  = 3
	recentLooked = 30 // attempts, from which the slowest hosts are told
)

// glance is what a watcher sees of a job: what costs the same whatever its size, but for the count of failures, which
// reads an index of the failed tasks alone.
type glance struct {
	at       time.Time
	name     string
	path     string // of the state file
	running  bool
	progress state.Progress
	run      *state.RunInfo // the last one; nil: there was none
	failures []state.FailureCount
	ticks    []state.Tick
	hosts    []state.Host
	slowest  []hostTime
	errors   []state.FailedAttempt
	wal      state.WAL
	size     int64
	free     int64 // -1: not known
}

// hostTime is how long a host took to answer lately.
type hostTime struct {
	host string
	mean time.Duration
}

// glanceAt opens the file for this one look: it may have been removed, replaced or migrated since the last.
func glanceAt(ctx context.Context, t target, now time.Time) (*glance, error) {
	store, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	g := &glance{at: now, path: t.statePath, running: store.Running(), free: -1}
	if g.wal, err = store.WAL(ctx); err != nil {
		return nil, err
	}
	if info, err := os.Stat(t.statePath); err == nil {
		g.size = info.Size()
	}
	if free, ok := freeSpace(filepath.Dir(t.statePath)); ok {
		g.free = free
	}
	return g, store.Snapshot(ctx, func(s *state.Store) error { return g.read(ctx, s) })
}

func (g *glance) read(ctx context.Context, s *state.Store) error {
	kept, err := s.Job(ctx)
	if err != nil {
		return err
	}
	g.name = kept.Name
	if g.progress, err = s.Progress(ctx); err != nil {
		return err
	}
	runs, err := s.Runs(ctx, 1)
	if err != nil {
		return err
	}
	if len(runs) > 0 {
		g.run = &runs[0]
	}
	if g.failures, err = s.FailureCounts(ctx); err != nil {
		return err
	}
	if g.ticks, err = s.Ticks(ctx, g.at.Add(-ticksKept), g.at); err != nil {
		return err
	}
	if g.hosts, err = s.HeldBack(ctx, g.at, hostsShown); err != nil {
		return err
	}
	recent, err := s.Recent(ctx, recentLooked)
	if err != nil {
		return err
	}
	g.slowest = slowestOf(recent)
	g.errors, err = s.LastFailures(ctx, errorsShown)
	return err
}

// slowestOf returns the hosts that took longest on average, the slowest first.
func slowestOf(recent []state.RecentAttempt) []hostTime {
	sum, n := map[string]time.Duration{}, map[string]int{}
	for _, a := range recent {
		u, err := url.Parse(a.URL)
		if err != nil || u.Host == "" || a.TookMS == nil {
			continue
		}
		sum[u.Host] += time.Duration(*a.TookMS) * time.Millisecond
		n[u.Host]++
	}
	var all []hostTime
	for host := range sum {
		all = append(all, hostTime{host, sum[host] / time.Duration(n[host])})
	}
	slices.SortFunc(all, func(a, b hostTime) int {
		return cmp.Or(cmp.Compare(b.mean, a.mean), cmp.Compare(a.host,
			b.host))
	})
	return all[:min(len(all), slowestShown)]
}

// perSecond is the rate of the last whole seconds of the run.
func (g *glance) perSecond() float64 {
	end := g.at.Truncate(time.Second)
	from := end.Add(-rateSpan)
	if g.run != nil && g.run.StartedAt.After(from) {
		from = g.run.StartedAt
	}
	var n int64
	for _, t := range g.ticks {
		if !t.At.Before(from.Truncate(time.Second)) && t.At.Before(end) {
			n += t.Finished
		}
	}
	return float64(n) / max(end.Sub(from).Seconds(), 1)
}

// overall is the rate of the whole run.
func (g *glance) overall() float64 {
	if g.run == nil {
		return 0
	}
	return float64(g.run.Done+g.run.Failed) / max(g.run.Heartbeat.Sub(g.run.StartedAt).Seconds(), 1)
}
