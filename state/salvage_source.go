package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dogear/state/btree"
)

// source is a damaged file, and its -wal if there is one, read page by page.
type source struct {
	*btree.File
	open []*os.File
}

// openSource opens what is there of a file and its -wal. wal may be "".
func openSource(path, wal string) (*source, error) {
	s := &source{}
	main, size, err := s.add(path)
	if err != nil {
		return nil, err
	}
	log, logSize, err := s.add(wal)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	if s.File, err = btree.Open(main, size, log, logSize); err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", path, err), s.close())
	}
	return s, nil
}

// add opens one of the files; one that is not there is empty.
func (s *source) add(path string) (io.ReaderAt, int64, error) {
	f, err := os.Open(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return bytes.NewReader(nil), 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read a damaged file: %w", err)
	}
	s.open = append(s.open, f)
	info, err := f.Stat()
	if err != nil {
		return nil, 0, fmt.Errorf("read a damaged file: %w", err)
	}
	return f, info.Size(), nil
}

func (s *source) close() error {
	var errs []error
	for _, f := range s.open {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// entry is a row of sqlite_schema: a table or an index.
type entry struct {
	table     bool
	name, sql string
	of        string // the table that it is or belongs to
	root      uint32
}

func entryOf(r btree.Row) (e entry, ok bool) {
	if len(r.Values) != 5 {
		return e, false
	}
	kind, ok1 := r.Values[0].(string)
	name, ok2 := r.Values[1].(string)
	of, ok3 := r.Values[2].(string)
	root, ok4 := r.Values[3].(int64)
	sql, _ := r.Values[4].(string) // an index that a constraint made has none
	known := ok1 && (kind == "table" || kind == "index" || kind == "view" || kind == "trigger")
	return entry{kind == "table", name, sql, of, uint32(root)}, known && ok2 && ok3 && ok4 && root >= 0 && root < 1<<32
}

// entries reads what tables and indexes there are: from the schema's own tree, and, for what it does not lead to any
// more, from pages that look like its.
func (s *source) entries() []entry {
	var found []entry
	seen := map[string]bool{}
	add := func(r btree.Row) {
		if e, ok := entryOf(r); ok && e.root > 1 && !seen[e.name] {
			seen[e.name] = true
			found = append(found, e)
		}
	}
	s.Walk(1, func(r btree.Row) bool { add(r); return true })
	if s.Damage().Pages+s.Damage().Cells > 0 {
		s.Orphans(func(_ uint32, rows []btree.Row) bool {
			if ofSchema(rows) {
				for _, r := range rows {
					add(r)
				}
			}
			return true
		})
	}
	return found
}

// job reads whose file it is, by the trees alone.
func (s *source) job() (j JobInfo) {
	for _, e := range s.entries() {
		if e.table && e.name == "job" {
			s.Walk(e.root, func(r btree.Row) bool {
				if len(r.Values) == 5 {
					j.Name, _ = r.Values[1].(string)
					j.Text, _ = r.Values[2].(string)
					ms, _ := r.Values[4].(int64)
					j.CreatedAt = time.UnixMilli(ms).UTC()
				}
				return false
			})
		}
	}
	return j
}

// SalvageJob reads the job of a file that can't be opened because it is damaged or set aside, and returns err when
// there is another reason, or no job.
func SalvageJob(path string, err error) (JobInfo, error) {
	target := followed(path)
	m, e := readMarker(target)
	if e != nil || m.Salvaging == nil && !IsDamage(err) {
		return JobInfo{}, errors.Join(err, e)
	}
	for _, at := range []string{m.asidePath(target), target} {
		s, e := openSource(at, at+"-wal")
		if e != nil {
			return JobInfo{}, errors.Join(err, e)
		}
		j := s.job()
		if e := s.close(); e != nil {
			return JobInfo{}, errors.Join(err, e)
		}
		if j.Text != "" {
			return j, nil
		}
	}
	return JobInfo{}, err
}

// asidePath is where a salvage that goes on has the damaged file, "" when none does.
func (m *marker) asidePath(path string) string {
	if m.Salvaging == nil {
		return ""
	}
	return filepath.Join(filepath.Dir(path), m.Salvaging.Name)
}
