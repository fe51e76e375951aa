package cli_test

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// onServer is the database that a test's job is exported to.
func onServer(t *testing.T) (dsn string, db *sql.DB) {
	t.Helper()
	dsn = testenv.MySQL(t).DSN(t)
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return dsn, db
}

// sent is how far the export is; 0 as long as it has not begun.
func sent(db *sql.DB) (seq int64) {
	_ = db.QueryRow(`SELECT seq FROM dogear_exports`).Scan(&seq) // there may be no such database yet
	return seq
}

// there returns rows of a query on the server, each as one line.
func there(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	found, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var lines []string
	for found.Next() {
		columns, _ := found.Columns()
		values, into := make([]string, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Join(values, " "))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// The real program is killed with SIGKILL at several points of an export, and the same command carries on.
func TestAKilledExportEndsAsAnUninterruptedOne(t *testing.T) {
	const products = 600 // of 30 KB: eighteen transactions
	p := site(t, practice.Options{Products: products})
	path := fatJob(t, p, products)
	dogearRun(t, 0, "run", path, "--quiet", "--rate", "none")
	dsn, db := onServer(t)
	kills := 0
	for goal := int64(1); goal < products; goal += 120 {
		c := start(t, "export", "mysql", path, "--dsn", dsn)
		over := make(chan struct{})
		go func() { c.wait(); close(over) }()
		for ended := false; !ended && sent(db) < goal; {
			select {
			case <-over:
				ended = true
			case <-time.After(time.Millisecond):
			}
		}
		c.Process.Kill()
		if c.exit() == -1 {
			kills++
		}
	}
	dogearRun(t, 0, "export", "mysql", path, "--dsn", dsn)
	if kills < 2 {
		t.Errorf("%d kills hit a running export", kills)
	}
	hash := func(lines []string) (out []string) {
		for _, line := range lines {
			out = append(out, fmt.Sprintf("%x", sha256.Sum256([]byte(line))))
		}
		return out
	}
	const query = `SELECT id, weight, _task FROM fat ORDER BY id`
	if diff := cmp.Diff(hash(rows(t, stateOf(path), query)), hash(there(t, db, query))); diff != "" {
		t.Errorf("after %d kills (-state +server):\n%s", kills, diff)
	}
	if last := dogearRun(t, 0, "export", "mysql", path, "--dsn", dsn).said(); !strings.Contains(last, "fat: 0 rows of 1 table sent to database") {
		t.Errorf("with nothing left it said %s", last)
	}
}

// The variables come from .env beside the job file; what is printed never has the password.
func TestTheServerIsFoundByTheEnvFileBesideTheJob(t *testing.T) {
	dsn, db := onServer(t)
	config, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(config.Addr)
	p := site(t, practice.Options{Products: 30})
	path := writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 30, 4))
	env := fmt.Sprintf("MYSQL_HOST=%s\nMYSQL_PORT=%s\nMYSQL_PASSWORD='%s'\nMYSQL_DB=%s\n", host, port, strings.ReplaceAll(config.Passwd, "'", `'"'"'`), config.DBName)
	if strings.Contains(config.Passwd, "'") {
		env = fmt.Sprintf("MYSQL_HOST=%s\nMYSQL_PORT=%s\nMYSQL_PASSWORD=%q\nMYSQL_DB=%s\n", host, port, config.Passwd, config.DBName)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	dogearRun(t, 0, "run", path, "--quiet")
	said := dogearRun(t, 0, "export", "mysql", path, "--state").said()
	if !strings.Contains(said, "products: 30 rows of 1 table sent to database "+config.DBName+" on "+config.Addr) || strings.Contains(said, config.Passwd) {
		t.Errorf("it said %s", said)
	}
	if diff := cmp.Diff(rows(t, stateOf(path), `SELECT product_id, name, price, rating FROM products ORDER BY 1`),
		there(t, db, `SELECT product_id, name, price, rating FROM products ORDER BY 1`)); diff != "" {
		t.Error(diff)
	}
	if got := there(t, db, `SELECT COUNT(*), MAX(id) FROM crawl_tasks WHERE state = 'done'`); got[0] != "30 30" {
		t.Errorf("crawl_tasks has %s", got)
	}
	wrong := exported(t, "u:hunter2-not-to-be-seen@tcp("+config.Addr+")/x", path)
	if wrong.exit() != 1 || strings.Contains(wrong.said(), "hunter2") || !strings.Contains(wrong.said(), "MYSQL_PASSWORD") {
		t.Errorf("with a wrong password: %s", wrong.said())
	}
}

func exported(t *testing.T, dsn, path string) *crawler {
	c := start(t, "export", "mysql", path, "--dsn", dsn)
	c.wait()
	return c
}
