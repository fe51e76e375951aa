package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"dogear/schema"
)

// Salvage is what was done about a file that is not as its last run left it, for the user to be told. Aside is where
// the damaged file, or only its -wal, is now.
type Salvage struct {
	Aside string `json:"aside"`
	Why   string `json:"why"`
	WAL   bool   `json:"wal,omitempty"` // only the -wal was set aside; the file itself was sound, and is used
	// Another file was put in the place of the damaged one before it was salvaged: that one is used, nothing was saved.
	Replaced bool          `json:"replaced,omitempty"`
	Missing  time.Duration `json:"missing,omitempty"` // for so long before the last run died, nothing that it did is kept

	// What the new file has: 0 unless the whole file was set aside.
	Tasks, Done, Failed, Records int64
	Again                        int64 // tasks that were done and are asked for again, since what they brought may be lost
	Dropped                      int64 // rows that could be read but not be kept
	Pages, Cells                 int   // what could not be read
}

// seqLeap is how far the next _seq moves on when records may be lost: an export remembers the last that it sent, which
// may have been one of those.
const seqLeap = 1 << 24

// salvager fills a new file from a damaged one.
type salvager struct {
	ctx    context.Context
	o      RunOptions
	source *source
	db     *sql.DB // the new file
	conn   *sql.Conn
	report *Salvage

	layouts []layout // the shapes that rows may have
	entries []entry  // the tables and indexes that the damaged file has
	torn    bool     // and it may have had others
	targets map[string]*target
	lossy   map[string]bool // by table: rows of it may be lost
	unsure  bool            // the pages that were read may be of different moments: a -wal is missing

	counted int64 // tasks, by the counters of the damaged file; -1: not known
	seq     int64 // the last _seq, by the same; -1: not known
	recent  string
}

// salvage makes the file fresh from what can be read of the one at aside, and closes it. m is the marker of the last
// run.
func salvage(ctx context.Context, o RunOptions, now time.Time, m *marker, aside, fresh string) (_ *Salvage, err error) {
	s := &salvager{
		ctx: ctx, o: o, report: &Salvage{}, lossy: map[string]bool{}, targets: map[string]*target{}, counted: -1, seq: -1,
	}
	if s.source, s.unsure, err = openDamaged(aside, m); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.source.close()) }()
	if err := s.create(fresh); err != nil {
		return nil, errors.Join(err, s.close())
	}
	err = s.inOne(func() error { return s.fill(now, m) })
	return s.report, errors.Join(err, s.close())
}

// openDamaged opens the file with its -wal, unless that is another's. unsure says that its own is then missing.
func openDamaged(aside string, m *marker) (_ *source, unsure bool, err error) {
	s, err := openSource(aside, aside+"-wal")
	if err != nil {
		return nil, false, err
	}
	f, err := filesOf(aside)
	if err != nil {
		return nil, false, errors.Join(err, s.close())
	}
	if m.unlike(f, aside) == nil {
		return s, false, nil
	}
	if j := s.job(); m.same(jobID{j.Name, j.CreatedAt.UnixMilli()}) {
		return s, false, nil
	}
	if err := s.close(); err != nil {
		return nil, false, err
	}
	s, err = openSource(aside, "")
	return s, !m.Ended, err
}

// freshPragmas are for a file that is thrown away when its making is interrupted.
var freshPragmas = []string{"synchronous(OFF)", "journal_mode(MEMORY)", "cache_size(-65536)", "temp_store(FILE)"}

func (s *salvager) create(fresh string) (err error) {
	if s.db, err = openDB(fresh, "rwc", freshPragmas); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1) // temporary tables are a connection's own
	if err := apply(s.ctx, s.db, 0, schema.Migrations()); err != nil {
		return err
	}
	s.conn, err = s.db.Conn(s.ctx)
	return err
}

func (s *salvager) close() error {
	var errs []error
	for _, t := range s.targets {
		errs = append(errs, t.close())
	}
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
	}
	return errors.Join(append(errs, s.db.Close())...)
}

// inOne runs f in one transaction.
func (s *salvager) inOne(f func() error) error {
	if err := s.exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err // the file is thrown away
	}
	return s.exec(`COMMIT`)
}

func (s *salvager) exec(query string, args ...any) error {
	_, err := s.changed(query, args...)
	return err
}

// changed returns how many rows a statement changed.
func (s *salvager) changed(query string, args ...any) (int64, error) {
	result, err := s.conn.ExecContext(s.ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", query, err)
	}
	return result.RowsAffected()
}

func (s *salvager) number(query string, args ...any) (n int64, err error) {
	if err = s.conn.QueryRowContext(s.ctx, query, args...).Scan(&n); err != nil {
		err = fmt.Errorf("%s: %w", query, err)
	}
	return n, err
}

// fill does the work: the rows that the trees lead to, those that nothing leads to any more, what has to be asked for
// again for the sake of those that are lost, and the numbers.
func (s *salvager) fill(now time.Time, m *marker) error {
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.walk(); err != nil {
		return err
	}
	if err := s.orphans(); err != nil {
		return err
	}
	if err := s.keepJob(now, m); err != nil {
		return err
	}
	if err := s.doubt(m); err != nil {
		return err
	}
	if err := s.makeGood(); err != nil {
		return err
	}
	return s.count()
}
