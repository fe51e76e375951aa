package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"dogear/schema"
)

// migrate brings the file to the newest schema in one transaction. A file that holds something is copied first, to
// PATH.v<version>-<unix ms>.bak beside it.
func migrate(ctx context.Context, db *sql.DB, path string, now time.Time) error {
	version, err := identify(ctx, db, path)
	if err != nil {
		return err
	}
	// The journal mode is the file's own, not the connection's. Only now is it certain that the file is ours to change.
	if _, err := db.ExecContext(ctx, `PRAGMA journal_mode = WAL`); err != nil {
		return fmt.Errorf("open %s: write-ahead log: %w", path, err)
	}
	texts := schema.Migrations()
	if version == len(texts) {
		return nil
	}
	if version > 0 {
		if err := backUp(ctx, db, path, version, now); err != nil {
			return err
		}
	}
	return apply(ctx, db, version, texts)
}

// backUp copies the file. Only a copy that is whole has the name of a backup: what a kill leaves of one is taken away by
// the next run.
func backUp(ctx context.Context, db *sql.DB, path string, version int, now time.Time) error {
	backup := fmt.Sprintf("%s.v%d-%d.bak", path, version, now.UnixMilli())
	part := fmt.Sprintf("%s.v%d.part", path, version)
	for _, old := range []string{part, part + "-journal"} {
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("back up %s before its migration: %w", path, err)
		}
	}
	_, err := db.ExecContext(ctx, `VACUUM INTO ?`, part)
	if err == nil {
		err = os.Rename(part, backup)
	}
	if err != nil {
		return fmt.Errorf("back up %s to %s before its migration: %w", path, backup, err)
	}
	return nil
}

func apply(ctx context.Context, db *sql.DB, version int, texts []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin migration: %w", err)
	}
	defer tx.Rollback() // after Commit it does nothing
	for i := version; i < len(texts); i++ {
		if _, err := tx.ExecContext(ctx, texts[i]); err != nil {
			return fmt.Errorf("migrate to schema version %d: %w", i+1, err)
		}
	}
	mark := fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, schema.ApplicationID, len(texts))
	if _, err := tx.ExecContext(ctx, mark); err != nil {
		return fmt.Errorf("set schema version: %w", err)
	}
	return tx.Commit()
}
