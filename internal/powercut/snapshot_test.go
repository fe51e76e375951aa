package powercut

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "modernc.org/sqlite"
)

// snapshot is all that a state file says: each row of each table as a line, in the order of table and rowid. A file
// without tables, or none at all, has no lines.
type snapshot []string

// open opens a rebuilt state file as SQLite does after a crash. No file, or an empty one, is nil.
func open(path string) (*sql.DB, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return openExisting(path)
}

func openExisting(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?mode=rw&_pragma=synchronous(OFF)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// read returns all that a state file says.
func read(db *sql.DB) (snapshot, error) {
	if db == nil {
		return nil, nil
	}
	tables, err := column(db, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	all, err := column(db, `SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name`)
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		columns, err := column(db, `SELECT 'quote("' || name || '")' FROM pragma_table_info(?)`, table)
		if err != nil {
			return nil, err
		}
		row := strings.Join(columns, " || ' ' || ")
		rows, err := column(db, fmt.Sprintf(`SELECT '%s ' || %s FROM "%[1]s" ORDER BY rowid`, table, row))
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// column returns the first column of a query.
func column(db *sql.DB, query string, args ...any) ([]string, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, fmt.Errorf("%.80s: %w", query, err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("%.80s: %w", query, err)
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

// tasksFinished returns the URLs of the tasks that are done or failed.
func tasksFinished(db *sql.DB) ([]string, error) {
	if db == nil {
		return nil, nil
	}
	if n, err := column(db, `SELECT name FROM sqlite_schema WHERE name = 'tasks'`); err != nil || len(n) == 0 {
		return nil, err
	}
	return column(db, `SELECT url FROM tasks WHERE state IN ('done', 'failed') ORDER BY id`)
}

// outcomeQuery is what a job came to, whatever runs it took.
const outcomeQuery = `
SELECT 'task ' || url || ' ' || page || ' ' || method || ' ' || depth || ' ' || state
  || ' ' || coalesce(status, '') || ' ' || coalesce(error_kind, '')
  || ' ' || coalesce((SELECT url FROM tasks AS p WHERE p.id = t.parent), '') FROM tasks AS t
UNION ALL SELECT 'product ' || product_id || ' ' || name || ' ' || whole || ' ' || and_again FROM products
UNION ALL SELECT 'detail ' || url || ' ' || title || ' ' || price FROM details ORDER BY 1`

// outcome returns what a job came to.
func outcome(path string) ([]string, error) {
	db, err := open(path)
	if err != nil || db == nil {
		return nil, errors.Join(err, errors.New("there is no state file"))
	}
	defer db.Close()
	return column(db, outcomeQuery)
}

// missing are the lines of a that b has not.
func missing(a, b []string) (lines []string) {
	there := map[string]int{}
	for _, line := range b {
		there[line]++
	}
	for _, line := range a {
		if there[line]--; there[line] < 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// brief shows how many lines there are, and the first of them.
func brief(lines []string) string {
	if len(lines) == 0 {
		return "none"
	}
	first := slices.Clone(lines[:min(3, len(lines))])
	for i, line := range first {
		first[i] = fmt.Sprintf("%.160s", line)
	}
	return fmt.Sprintf("%d, such as\n\t%s", len(lines), strings.Join(first, "\n\t"))
}

// put writes the files into a folder.
func put(folder string, files map[string][]byte) error {
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
