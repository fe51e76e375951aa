package state

import (
	"slices"
	"strconv"
	"strings"
)

// memory is what a Run remembers of the file between commits. A failed commit takes it back.
type memory struct {
	counts  Counts
	tally   Tally
	seq     int64
	recent  recentTasks
	starts  []start
	dropped int64
}

func (r *Run) memory() memory {
	m := memory{r.counts, r.tally, r.seq, r.recent.clone(), make([]start, len(r.starts)), r.dropped}
	for i, s := range r.starts {
		m.starts[i] = *s
	}
	return m
}

func (r *Run) restore(m memory) {
	r.counts, r.tally, r.seq, r.recent, r.dropped = m.counts, m.tally, m.seq, m.recent, m.dropped
	for i, s := range r.starts {
		*s = m.starts[i]
	}
	r.keepBatches()
	r.doubt = false
	r.stmts.records.discard()
	r.fields.discard()
}

// Counts returns the numbers of the last commit.
func (r *Run) Counts() Counts { return r.counts }

// Tally returns what this run did up to the last commit.
func (r *Run) Tally() Tally { return r.tally }

// Dropped is how many links and start values this run did not add because of RunOptions.MaxTasks.
func (r *Run) Dropped() int64 { return r.dropped }

// recentTasks are the ids of the tasks finished last, the newest at the end, kept as a JSON array in counters.recent: an
// index on finished_at would cost every task more than this costs a commit.
type recentTasks struct{ ids []int64 }

func (t *recentTasks) add(id int64) {
	if len(t.ids) == 2*recentShown {
		t.ids = append(t.ids[:0], t.ids[recentShown:]...)
	}
	t.ids = append(t.ids, id)
}

func (t *recentTasks) last() []int64 { return t.ids[max(0, len(t.ids)-recentShown):] }

func (t *recentTasks) clone() recentTasks { return recentTasks{slices.Clone(t.last())} }

func (t *recentTasks) text() string {
	return idList(t.last())
}

func (t *recentTasks) parse(s string) {
	t.ids = t.ids[:0]
	for _, part := range strings.Split(strings.Trim(s, "[]"), ",") {
		if id, err := strconv.ParseInt(part, 10, 64); err == nil {
			t.ids = append(t.ids, id)
		}
	}
}
