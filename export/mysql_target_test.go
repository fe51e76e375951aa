package export_test

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"dogear/export"
	"dogear/internal/testenv"
)

const secret = "hunter2-not-to-be-seen"

func TestTheServerIsNamedByItsVariablesOrADSN(t *testing.T) {
	for _, c := range []struct {
		dsn  string
		env  map[string]string
		want string
	}{
		{"", nil, "database shop on localhost:3306"},
		{"", map[string]string{"MYSQL_HOST": "db.example", "MYSQL_PORT": "3307", "MYSQL_DB": "goods", "MYSQL_PASSWORD": secret}, "database goods on db.example:3307"},
		{"", map[string]string{"MYSQL_HOST": "::1"}, "database shop on [::1]:3306"},
		{"", map[string]string{"MYSQL_HOST": "/run/mysqld/mysqld.sock"}, "database shop on /run/mysqld/mysqld.sock"},
		{"u:" + secret + "@tcp(db.example)/goods?sql_mode=ANSI&clientFoundRows=true", map[string]string{"MYSQL_HOST": "other"}, "database goods on db.example:3306"},
		{"u:" + secret + "@tcp(db.example:1)/", nil, "database shop on db.example:1"},
	} {
		target, err := export.ParseMySQLTarget(c.dsn, func(name string) string { return c.env[name] }, "shop")
		if err != nil || target.String() != c.want {
			t.Errorf("%s, %v: %v, %v, want %s", c.dsn, c.env, target, err, c.want)
		}
	}
}

func TestADSNThatCannotBeReadIsNotShown(t *testing.T) {
	for _, dsn := range []string{secret, "u:" + secret + "/x@tcp(h/db", "u:p@" + secret + "(h)/d", "u:p@tcp(h)/d?tls=" + secret, "u:p@tcp(h)/d?timeout=" + secret, "u:p@tcp(h)/%zz" + secret} {
		_, err := export.ParseMySQLTarget(dsn, nil, "shop")
		if !errors.Is(err, export.ErrDSN) || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") {
			t.Errorf("%s: error %v", dsn, err)
		}
	}
}

// What fails at the start is said at once, and never with the password.
func TestAServerThatCannotBeUsedIsAnErrorAtOnce(t *testing.T) {
	b := newBook(t, items())
	b.page([]any{int64(1), "x"})
	config, err := mysql.ParseDSN(b.dsn)
	if err != nil {
		t.Fatal(err)
	}
	nobody := testenv.Refusing(t)
	for name, c := range map[string]struct {
		change func(*mysql.Config)
		say    string
		away   bool
	}{
		"a wrong password":    {func(c *mysql.Config) { c.Passwd = secret }, "MYSQL_PASSWORD", false},
		"nobody there":        {func(c *mysql.Config) { c.Addr, c.Passwd = nobody, secret }, "is it running", true},
		"a name that is none": {func(c *mysql.Config) { c.Addr, c.Passwd = "no-such-host.invalid:3306", secret }, "no-such-host.invalid", true},
	} {
		t.Run(name, func(t *testing.T) {
			changed := config.Clone()
			c.change(changed)
			o := b.options()
			if o.Target, err = export.ParseMySQLTarget(changed.FormatDSN(), nil, "job"); err != nil {
				t.Fatal(err)
			}
			o.Warn = func(text string) { t.Errorf("waits: %s", text) }
			_, err := b.send(o)
			if err == nil || !strings.Contains(err.Error(), c.say) || strings.Contains(err.Error(), "hunter2") || export.MySQLAway(err) != c.away {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A user who may use a database need not be allowed to make one.
func TestADatabaseThatIsThereNeedsNoRightToMakeOne(t *testing.T) {
	b := newBook(t, items())
	b.create(`CREATE TABLE spare (id INT)`)
	b.page([]any{int64(1), "x"})
	config, err := mysql.ParseDSN(b.dsn)
	if err != nil {
		t.Fatal(err)
	}
	admin := testenv.MySQL(t).Open(t)
	defer admin.Close()
	user := "dogear_few_rights"
	drop := func() { admin.Exec(`DROP USER IF EXISTS ` + user) }
	drop()
	defer drop()
	for _, q := range []string{`CREATE USER ` + user + ` IDENTIFIED BY 'few'`, "GRANT ALL ON `" + config.DBName + "`.* TO " + user} {
		if _, err := admin.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	config.User, config.Passwd = user, "few"
	b.dsn = config.FormatDSN()
	b.wantSent(1)
	config.DBName += "_other"
	o := b.options()
	if o.Target, err = export.ParseMySQLTarget(config.FormatDSN(), nil, "job"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.send(o); err == nil || !strings.Contains(err.Error(), "the user needs the right") {
		t.Errorf("error %v", err)
	}
}

// What is printed is what is made.
func TestTheStatementsThatArePrintedAreThoseThatAreSent(t *testing.T) {
	table := everyType()
	b := newBook(t, table)
	o := b.options()
	o.States = true
	if _, err := b.send(o); err != nil {
		t.Fatal(err)
	}
	made := b.tables()
	admin := testenv.MySQL(t).Open(t)
	defer admin.Close()
	conn, err := admin.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	b.exec("DROP DATABASE `" + b.query1(`SELECT DATABASE()`) + "`")
	for _, q := range export.MySQLStatements(o.Target, o.Tables, true) {
		if _, err := conn.ExecContext(t.Context(), q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	b.db.Close()
	if b.db, err = sql.Open("mysql", b.dsn); err != nil {
		t.Fatal(err)
	}
	if again := b.tables(); again != made || !strings.Contains(made, "`商品`") {
		t.Errorf("made\n%s\nprinted\n%s", made, again)
	}
}

func (b *book) tables() string {
	b.t.Helper()
	var all string
	for _, name := range []string{"商品", "dogear_exports", "crawl_tasks", "crawl_breakpoint"} {
		var table, ddl string
		if err := b.db.QueryRow("SHOW CREATE TABLE `"+name+"`").Scan(&table, &ddl); err != nil {
			b.t.Fatal(err)
		}
		all += ddl + "\n"
	}
	return all
}
