package state

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dogear/schema"
	"dogear/state/btree"
)

// salvaged are dogear's own tables whose rows are kept, in this order. Counters are counted anew, and ticks are of use
// for minutes only.
var salvaged = []string{"job", "runs", "starts", "hosts", "tasks", "attempts", "rejects", "page_bodies", "field_counts"}

// prepare makes the tables of the new file, and learns the shapes of rows.
func (s *salvager) prepare() (err error) {
	if s.layouts, err = knownLayouts(s.ctx); err != nil {
		return err
	}
	s.entries = s.source.entries()
	d := s.source.Damage()
	s.torn = d.Pages+d.Cells > 0 || s.entry("tasks") == nil
	if err := s.makeRecordTables(); err != nil {
		return err
	}
	err = s.exec(`CREATE TEMP TABLE orphan ("table" TEXT, id INTEGER, PRIMARY KEY ("table", id)) WITHOUT ROWID`)
	if err != nil {
		return err
	}
	all, err := layoutsIn(s.ctx, s.conn)
	if err != nil {
		return err
	}
	for _, l := range all {
		if err := s.aim(l); err != nil {
			return err
		}
	}
	return s.readCounters()
}

// entry finds a table of the damaged file.
func (s *salvager) entry(table string) *entry {
	for i := range s.entries {
		if e := &s.entries[i]; e.table && strings.EqualFold(e.name, table) {
			return e
		}
	}
	return nil
}

// makeRecordTables makes those that the damaged file had, as they were, and those of the job.
func (s *salvager) makeRecordTables() error {
	made := map[string]bool{}
	for _, e := range s.entries {
		l, ok := layoutOf(s.ctx, e.sql)
		if !e.table || !ok || !l.records || made[strings.ToLower(l.table)] || s.known(l.table) {
			continue
		}
		if err := s.exec(e.sql); err != nil {
			return err
		}
		made[strings.ToLower(l.table)] = true
		s.layouts = append(s.layouts, l)
	}
	for _, t := range s.o.Tables {
		if made[strings.ToLower(t.Name)] {
			continue
		}
		if err := s.exec(t.CreateSQL()); err != nil {
			return err
		}
		if l, ok := layoutOf(s.ctx, t.CreateSQL()); ok {
			s.layouts = append(s.layouts, l)
		}
	}
	return s.makeKeys(made)
}

func (s *salvager) known(table string) bool {
	return slices.ContainsFunc(s.layouts, func(l layout) bool { return !l.records && strings.EqualFold(l.table, table) })
}

// makeKeys makes the unique indexes, and those of the user: the damaged file's where it has them, since the job's may be of another key by
// now, which the run that opens the new file refuses. One that does not fit its table is left to that run.
func (s *salvager) makeKeys(made map[string]bool) error {
	has := map[string]bool{}
	for _, e := range s.entries {
		if !e.table && made[strings.ToLower(e.of)] && single(e.sql) {
			if err := s.exec(e.sql); err == nil {
				has[strings.ToLower(e.name)] = true
			} else if s.ctx.Err() != nil {
				return err
			}
		}
	}
	for _, t := range s.o.Tables {
		if has[strings.ToLower(schema.KeyIndex(t.Name))] {
			continue
		}
		if err := s.exec(t.IndexSQL()); err != nil && s.ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// aim prepares a table of the new file for its rows.
func (s *salvager) aim(l layout) error {
	if !l.records && !slices.Contains(salvaged, l.table) {
		return nil
	}
	t := &target{layout: l, stmts: map[string]*sql.Stmt{}}
	key, err := keyOf(s.ctx, s.conn, l.table)
	if err != nil {
		return err
	}
	for _, name := range key {
		t.key = append(t.key, quote(name))
	}
	s.targets[l.table] = t
	if l.table != "tasks" && !l.records {
		return nil
	}
	t.note, err = s.conn.PrepareContext(s.ctx, `INSERT OR IGNORE INTO temp.orphan VALUES (?, ?)`)
	return err
}

// inOrder are the targets, dogear's own first.
func (s *salvager) inOrder() []*target {
	var all []*target
	for _, name := range salvaged {
		all = append(all, s.targets[name])
	}
	return append(all, s.recordTables()...)
}

func (s *salvager) recordTables() []*target {
	var all []*target
	for _, t := range s.targets {
		if t.records {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b *target) int { return strings.Compare(a.table, b.table) })
	return all
}

// readCounters reads what the damaged file says of its own numbers.
func (s *salvager) readCounters() error {
	e := s.entry("counters")
	if e == nil {
		return nil
	}
	s.source.Walk(e.root, func(row btree.Row) bool {
		var n [6]int64
		for i := 1; i < len(n); i++ {
			v, ok := int64(0), len(row.Values) == 7
			if ok {
				v, ok = row.Values[i].(int64)
			}
			if !ok || v < 0 {
				return true
			}
			n[i] = v
		}
		s.counted, s.seq = n[1]+n[2]+n[3]+n[4], n[5]
		if recent, ok := row.Values[6].(string); ok && json.Valid([]byte(recent)) {
			s.recent = recent
		}
		return false
	})
	return nil
}

// keepJob puts the job into a file whose own row of it is lost: when it was made, the marker knows.
func (s *salvager) keepJob(now time.Time, m *marker) error {
	job := jobID{s.o.Name, now.UnixMilli()}
	if m.known() {
		job = jobID{m.Job, m.Created}
	}
	sum := sha256.Sum256(s.o.Text)
	return s.exec(`INSERT OR IGNORE INTO job (id, name, text, hash, created_at) VALUES (1, ?, ?, ?, ?)`,
		job.name, string(s.o.Text), hex.EncodeToString(sum[:]), job.created)
}

// doubt reads how the runs ended by the rows that are kept, and by the marker.
func (s *salvager) doubt(m *marker) error {
	have := facts{job: jobID{m.Job, m.Created}}
	row := s.conn.QueryRowContext(s.ctx, `SELECT id, heartbeat_at FROM runs ORDER BY id DESC LIMIT 1`)
	if err := row.Scan(&have.run, &have.beat); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read the last run: %w", err)
	}
	if missing := m.missing(have); missing > 0 {
		s.unsure = true
		if have.beat > 0 {
			s.report.Missing = missing
		}
	}
	return nil
}
