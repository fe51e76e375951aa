package state

import (
	"encoding/json"
	"fmt"
	"strings"
)

// makeGood puts tasks back to pending as far as is needed to lose nothing: what they brought may be among what is lost.
func (s *salvager) makeGood() error {
	if err := s.dropStrange(); err != nil {
		return err
	}
	lost, err := s.tasksLost()
	if err != nil {
		return err
	}
	if err := s.dropLoose(); err != nil {
		return err
	}
	if err := s.exec(`CREATE TEMP TABLE again (task INTEGER PRIMARY KEY)`); err != nil {
		return err
	}
	if lost {
		// What is there already is passed over by its key.
		if err := s.exec(`UPDATE starts SET cursor = 0, place = 0, print = NULL`); err != nil {
			return err
		}
		if err := s.againFollowers(); err != nil {
			return err
		}
	}
	if err := s.againRecords(); err != nil {
		return err
	}
	// As a refresh does it: finished_at stays, and so the new answer replaces what is left of the old one.
	s.report.Again, err = s.changed(`UPDATE tasks SET state = 'pending', attempts = 0, not_before = 0, status = NULL
		WHERE state = 'done' AND id IN (SELECT task FROM temp.again)`)
	return err
}

// tasksLost reports whether there may have been tasks that are not in the new file. Their ids are without gaps, since
// passing over a known key takes none.
func (s *salvager) tasksLost() (bool, error) {
	n, err := s.number(`SELECT count(*) FROM tasks`)
	if err != nil {
		return false, err
	}
	last, err := s.number(`SELECT coalesce(max(id), 0) FROM tasks`)
	if err != nil {
		return false, err
	}
	switch {
	case s.unsure, s.rotten(), n < last, s.counted > n:
		return true, nil
	case s.counted < 0: // or not to be trusted
		return s.lossy["tasks"], nil
	}
	return false, nil
}

// rotten reports that bytes within pages have changed: then they have in values too, where nobody can tell. A task of
// another URL is the loss of the one that it was.
func (s *salvager) rotten() bool { return s.source.Damage().Cells > 0 }

// dropStrange drops tasks of kinds of page that the job does not have, if they wait, for the job could not go on with
// them, or if the kind is hardly what it was.
func (s *salvager) dropStrange() error {
	known, err := json.Marshal(pageNames(s.o.Pages))
	if err != nil || len(s.o.Pages) == 0 {
		return err
	}
	n, err := s.changed(`DELETE FROM tasks WHERE page NOT IN (SELECT value FROM json_each(?))
		AND (state = 'pending' OR ?)`, string(known), s.rotten())
	if n > 0 {
		s.lossy["tasks"], s.counted = true, -1
	}
	s.report.Dropped += n
	return err
}

// dropLoose drops what belongs to a task that is lost: the id may be given again. A record with a key stays, without a
// task; one without comes again with the page that it stood on.
func (s *salvager) dropLoose() error {
	for _, loose := range []struct{ table, of string }{
		{"attempts", `SELECT id FROM tasks`},
		{"rejects", `SELECT id FROM tasks`},
		{"page_bodies", `SELECT id FROM tasks WHERE finished_at IS NOT NULL`}, // the others had no answer yet
	} {
		n, err := s.changed(`DELETE FROM ` + loose.table + ` WHERE task NOT IN (` + loose.of + `)`)
		if err != nil {
			return err
		}
		s.report.Dropped += n
	}
	for _, t := range s.recordTables() {
		where := ` WHERE _task <> 0 AND _task NOT IN (SELECT id FROM tasks)`
		if !t.byPlace() {
			if err := s.exec(`UPDATE ` + quote(t.table) + ` SET _task = 0` + where); err != nil {
				return err
			}
			continue
		}
		n, err := s.changed(`DELETE FROM ` + quote(t.table) + where)
		if err != nil {
			return err
		}
		s.report.Dropped += n
	}
	return nil
}

// byPlace reports a record table without a key: a record is its task and its position.
func (t *target) byPlace() bool { return len(t.key) == 0 || strings.EqualFold(t.key[0], `"_task"`) }

// againFollowers asks again for every page whose links may have been among the lost tasks.
func (s *salvager) againFollowers() error {
	return s.againPages(func(p Page) bool { return p.Follows }, ``)
}

// againPages asks again for the done tasks of some kinds of page.
func (s *salvager) againPages(which func(Page) bool, and string) error {
	names := []string{}
	for _, p := range s.o.Pages {
		if which(p) {
			names = append(names, p.Name)
		}
	}
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	return s.exec(`INSERT OR IGNORE INTO temp.again SELECT id FROM tasks WHERE state = 'done'
		AND page IN (SELECT value FROM json_each(?))`+and, string(list))
}

// againRecords asks again for the pages whose records may be lost: of a kind that keeps records in a table, when none
// of the page is there; at both edges of a gap in _seq, since the records of a page follow one another; and those
// whose records are older than their answer.
func (s *salvager) againRecords() error {
	torn := false
	for _, t := range s.recordTables() {
		if !s.lossy[t.table] && !s.unsure {
			continue
		}
		torn = true
		if err := s.againWithout(t); err != nil {
			return err
		}
		if err := s.againStale(t); err != nil {
			return err
		}
	}
	if !torn {
		return nil
	}
	return s.againAtGaps()
}

func (s *salvager) againWithout(t *target) error {
	if err := s.exec(`CREATE TEMP TABLE kept (task INTEGER PRIMARY KEY)`); err != nil {
		return err
	}
	if err := s.exec(`INSERT OR IGNORE INTO temp.kept SELECT _task FROM ` + quote(t.table)); err != nil {
		return err
	}
	if err := s.exec(`INSERT OR IGNORE INTO temp.kept SELECT task FROM rejects WHERE "table" = ?`, t.table); err != nil {
		return err
	}
	keeps := func(p Page) bool {
		for _, table := range p.Keeps {
			if strings.EqualFold(table, t.table) {
				return true
			}
		}
		return false
	}
	if err := s.againPages(keeps, ` AND id NOT IN (SELECT task FROM temp.kept)`); err != nil {
		return err
	}
	return s.exec(`DROP TABLE temp.kept`)
}

// againStale is for rows that no tree leads to any more: the table may have had a newer one. Without a key they would
// stand beside what replaces them.
func (s *salvager) againStale(t *target) error {
	stale := fmt.Sprintf(` FROM temp.orphan AS o JOIN %s AS r ON r._seq = o.id JOIN tasks AS k ON k.id = r._task
		WHERE o."table" = ? AND k.state = 'done' AND k.finished_at > r._fetched_at`, quote(t.table))
	if err := s.exec(`INSERT OR IGNORE INTO temp.again SELECT k.id`+stale, t.table); err != nil || !t.byPlace() {
		return err
	}
	return s.exec(`DELETE FROM `+quote(t.table)+` WHERE _seq IN (SELECT r._seq`+stale+`)`, t.table)
}

// againAtGaps looks at all record tables together, which share one count.
func (s *salvager) againAtGaps() error {
	if err := s.exec(`CREATE TEMP TABLE seqs (seq INTEGER PRIMARY KEY, task INTEGER)`); err != nil {
		return err
	}
	for _, t := range s.recordTables() {
		if err := s.exec(`INSERT OR IGNORE INTO temp.seqs SELECT _seq, _task FROM ` + quote(t.table)); err != nil {
			return err
		}
	}
	// The end counts as a gap unless the damaged file says that it is none.
	return s.exec(`INSERT OR IGNORE INTO temp.again SELECT task FROM (
		SELECT task, seq - lag(seq, 1, 0) OVER w AS before, lead(seq, 1, ?) OVER w - seq AS after
		FROM temp.seqs WINDOW w AS (ORDER BY seq))
		WHERE before <> 1 OR after <> 1`, s.seq+1)
}

// count sets the numbers by what there is.
func (s *salvager) count() (err error) {
	r := s.report
	for _, one := range []struct {
		n     *int64
		query string
	}{
		{&r.Tasks, `SELECT count(*) FROM tasks`},
		{&r.Done, `SELECT count(*) FROM tasks WHERE state = 'done'`},
		{&r.Failed, `SELECT count(*) FROM tasks WHERE state = 'failed'`},
	} {
		if *one.n, err = s.number(one.query); err != nil {
			return err
		}
	}
	seq := max(0, s.seq)
	torn := s.unsure || s.seq < 0
	for _, t := range s.recordTables() {
		n, err := s.number(`SELECT count(*) FROM ` + quote(t.table))
		if err != nil {
			return err
		}
		last, err := s.number(`SELECT coalesce(max(_seq), 0) FROM ` + quote(t.table))
		if err != nil {
			return err
		}
		r.Records, seq, torn = r.Records+n, max(seq, last), torn || s.lossy[t.table]
	}
	if torn {
		seq += seqLeap
	}
	d := s.source.Damage()
	r.Pages, r.Cells, r.Why = d.Pages, d.Cells, d.First
	if s.recent == "" {
		s.recent = "[]"
	}
	return s.exec(`UPDATE counters SET pending = ?, in_flight = 0, done = ?, failed = ?, seq = ?, recent = ?`,
		r.Tasks-r.Done-r.Failed, r.Done, r.Failed, seq, s.recent)
}
