package state

import (
	"context"
	"fmt"
	"time"
)

// Body is a page that is kept, so that other rules can be tried on it: a row of page_bodies.
//
// It stands in the file itself, not in one beside it: SQLite commits to several attached files one after the other when
// they use a WAL, so after a power cut a task could be done without its page, or have the page of an answer that never
// landed (https://www.sqlite.org/lang_attach.html).
type Body struct {
	URL         string // where it came from in the end, as it may be kept
	Status      int
	ContentType string
	Charset     string // that it was decoded from
	At          time.Time
	Size        int64  // bytes before it was compressed
	Packed      []byte // zstd
}

// rowWeight is how many bytes of a kept page weigh as much as a row, in Outcome.Weight: a page of SQLite's.
const rowWeight = 4096

const (
	keepBodySQL = `INSERT OR ROLLBACK INTO page_bodies (task, url, status, content_type, charset, at, size, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (task) DO UPDATE SET
		(url, status, content_type, charset, at, size, body) =
		(excluded.url, excluded.status, excluded.content_type,
			excluded.charset, excluded.at, excluded.size, excluded.body)`
	dropBodySQL = `DELETE FROM page_bodies WHERE task = ?`
)

// keepPage puts the page of an answer that ends its task into the place of the one of an earlier answer. One that is
// not kept leaves none behind, either.
func (r *Run) keepPage(ctx context.Context, o *Outcome) error {
	if o.State == Pending {
		return nil
	}
	if b := o.Kept; b != nil {
		_, err := r.stmts.keepBody.ExecContext(ctx, o.Task.ID, b.URL, b.Status, b.ContentType, b.Charset,
			b.At.UnixMilli(), b.Size, b.Packed)
		if err != nil {
			return fmt.Errorf("keep the page: %w", err)
		}
		return nil
	}
	if !o.Task.Again || o.State != Done {
		return nil
	}
	if _, err := r.stmts.dropBody.ExecContext(ctx, o.Task.ID); err != nil {
		return fmt.Errorf("drop the old page: %w", err)
	}
	return nil
}

// KeptPages is how many pages a file keeps, and their bytes. To count millions would mean to read all that they take,
// so the count ends at keptCounted; More says that there are others.
type KeptPages struct {
	Pages int64 `json:"pages"`
	More  bool  `json:"more"`
	Bytes int64 `json:"bytes"` // of the pages counted, as they came
	Disk  int64 `json:"disk"`  // of the same, compressed
}

// keptCounted is up to how many kept pages are counted: a few dozen megabytes are read for them.
const keptCounted = 10_000

// length() of a BLOB reads no more than the beginning of its row.
const keptPagesSQL = `SELECT count(*), coalesce(sum(size), 0), coalesce(sum(packed), 0)
	FROM (SELECT size, length(body) AS packed FROM page_bodies LIMIT ?)`

// KeptPages counts the kept pages.
func (s *Store) KeptPages(ctx context.Context) (k KeptPages, err error) {
	var has bool
	row := s.q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'page_bodies')`)
	if err := row.Scan(&has); err != nil || !has { // an older dogear made the file
		return k, err
	}
	row = s.q.QueryRowContext(ctx, keptPagesSQL, keptCounted+1)
	if err := row.Scan(&k.Pages, &k.Bytes, &k.Disk); err != nil {
		return k, fmt.Errorf("count kept pages: %w", err)
	}
	if k.More = k.Pages > keptCounted; k.More {
		k.Pages--
	}
	return k, nil
}

// LastKept is the last task that has a kept page, 0 when none has.
func (r *Run) LastKept(ctx context.Context) (id int64, err error) {
	row := r.conn.QueryRowContext(ctx, `SELECT coalesce(max(task), 0) FROM page_bodies`)
	if err = row.Scan(&id); err != nil {
		err = fmt.Errorf("look for the last kept page: %w", r.explain(err))
	}
	return id, err
}
