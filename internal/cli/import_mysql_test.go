package cli_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"dogear/internal/testenv"
)

// breakpointTable is a real MariaDB with the table that scripts make.
type breakpointTable struct {
	*testing.T
	text   string // the DSN
	config *mysql.Config
	db     *sql.DB
}

func breakpoints(t *testing.T) breakpointTable {
	t.Helper()
	server := testenv.MySQL(t)
	b := breakpointTable{T: t, text: server.DSN(t)}
	var err error
	if b.config, err = mysql.ParseDSN(b.text); err != nil {
		t.Fatal(err)
	}
	admin := server.Open(t)
	defer admin.Close()
	if _, err := admin.Exec("CREATE DATABASE `" + b.config.DBName + "`"); err != nil {
		t.Fatal(err)
	}
	// Many scripts run with a server that is not strict, which cuts what is too long.
	b.config.Params = map[string]string{"sql_mode": "''"}
	if b.db, err = sql.Open("mysql", b.config.FormatDSN()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.db.Close() })
	b.exec(breakpointDDL)
	return b
}

func (b breakpointTable) exec(query string, args ...any) {
	b.Helper()
	if _, err := b.db.Exec(query, args...); err != nil {
		b.Fatal(err)
	}
}

// dotenv is the .env that leads to it, but for the password.
func (b breakpointTable) dotenv() string {
	host, port, _ := strings.Cut(b.config.Addr, ":")
	return fmt.Sprintf("MYSQL_HOST=%s\nMYSQL_PORT=%s\nMYSQL_USER=%s\nMYSQL_DB=%s\n", host, port, b.config.User,
		b.config.DBName)
}

// A TEXT holds 65,535 bytes; what is longer was cut, in the middle of a URL.
func TestTheLastEntryOfATEXTThatIsFullIsLeftOut(t *testing.T) {
	b := breakpoints(t)
	path := writeJob(t, "products.yaml",
		"start: {url: 'https://a.example/product/{id}', id: 1..5000}\nrecords: {fields: {t: h1}}\n")
	var finished []string
	for id := range 5000 {
		finished = append(finished, fmt.Sprintf("https://a.example/product/%d", id+1))
	}
	b.exec(`INSERT INTO crawl_breakpoint (task_name, current_page, finished_urls) VALUES ('products', 1, ?)`,
		strings.Join(finished, ","))
	var kept string
	if err := b.db.QueryRow(`SELECT finished_urls FROM crawl_breakpoint`).Scan(&kept); err != nil ||
		len(kept) != 65535 {
		t.Fatalf("%d bytes are kept, %v", len(kept), err)
	}
	whole := strings.Count(kept, ",")
	c := dogearRun(t, 0, "import", "mysql", path, "--dsn", b.text)
	for _, want := range []string{
		fmt.Sprintf("crawl_breakpoint: finished_urls[%d]: the last entry of a text that is as long as", whole),
		"1 entry skipped",
	} {
		if !strings.Contains(c.said(), want) {
			t.Errorf("it does not say %q, but\n%s", want, c.said())
		}
	}
	if got := rows(t, stateOf(path), `SELECT done FROM counters`); got[0] != fmt.Sprint(whole) {
		t.Errorf("%s are done, want %d", got[0], whole)
	}
}

func TestAMySQLWithoutTheCheckpointSaysWhatItHas(t *testing.T) {
	b := breakpoints(t)
	path := writeJob(t, "products.yaml", "start: 'https://a.example/product/{1..50}'\nrecords: {fields: {t: h1}}\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".env"), []byte(b.dotenv()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MYSQL_PASSWORD", b.config.Passwd)
	b.exec(`INSERT INTO crawl_breakpoint (task_name, current_page) VALUES ('movies', 5)`)
	for _, c := range []struct {
		name, want string
		code       int
		args       []string
	}{
		{"another name", `has no task_name "products", only "movies"; choose one with --name`, 1, nil},
		{"that name", "imported 4 done, 0 failed; 0 entries skipped", 0, []string{"--name", "movies"}},
		{"a wrong password", "Access denied", 1, []string{"--dsn", strings.Replace(b.text, ":", ":wrong", 1)}},
		{"no DSN", "it is not shown", 2, []string{"--dsn", "secret:secret@nowhere"}},
		{"another database", "Unknown database", 1, []string{"--dsn", b.text[:strings.LastIndexByte(b.text, '/')] +
			"/nowhere"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := dogearRun(t, c.code, append([]string{"import", "mysql", path}, c.args...)...).said()
			if !strings.Contains(got, c.want) || strings.Contains(got, b.config.Passwd) || strings.Contains(got,
				"secret") {
				t.Errorf("it does not say %q, or too much:\n%s", c.want, got)
			}
		})
	}
	b.exec(`DROP TABLE crawl_breakpoint`)
	if got := dogearRun(t, 1, "import", "mysql", path, "--name", "movies").said(); !strings.Contains(got,
		"there is no table crawl_breakpoint") {
		t.Errorf("without the table it says\n%s", got)
	}
}
