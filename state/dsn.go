package state

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// walLimit is the size in bytes to which a WAL is cut back at a checkpoint.
const walLimit = 64 << 20

// busyTimeout is how long a statement waits for another's lock.
const busyTimeout = 10 * time.Second

var busyPragma = fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds())

// writePragmas are those of the one write connection. A checkpoint every 4000 pages (16 MB) costs less in fsyncs than
// SQLite's default of 1000 and stays far below walLimit. None of them writes: the file may turn out to be another's.
var writePragmas = []string{
	busyPragma, "synchronous(FULL)", "wal_autocheckpoint(4000)",
	fmt.Sprintf("journal_size_limit(%d)", walLimit), "cache_size(-8192)", "temp_store(MEMORY)", "foreign_keys(0)",
}

// readPragmas are those of a connection that only looks.
var readPragmas = []string{busyPragma, "query_only(1)", "temp_store(MEMORY)"}

// openDB opens path without touching it yet. mode is SQLite's rw or rwc, or "immutable" for a file that nobody writes to. Pragmas belong in the DSN: executed, they would reach one pooled
// connection only. The path is made absolute and escaped, since a DSN is a URI in which ?, # and % mean something.
func openDB(path, mode string, pragmas []string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("state file %s: %w", path, err)
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/x.db -> file:///C:/x.db
	}
	query := url.Values{"mode": {mode}, "_pragma": pragmas}
	if mode == "rwc" {
		query.Set("_txlock", "immediate") // the writer's; a reader that begins must not take the write lock
	}
	if mode == "immutable" {
		query.Set("mode", "ro")
		query.Set("immutable", "1")
	}
	dsn := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode(), OmitHost: true}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("state file %s: %w", path, err)
	}
	return db, nil
}
