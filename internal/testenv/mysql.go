package testenv

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"
)

const mysqlVariable = "DOGEAR_TEST_MYSQL_DSN"

// MySQLServer is a MariaDB, or the server of DOGEAR_TEST_MYSQL_DSN.
type MySQLServer struct {
	*Server // nil: not ours to stop
	config  *mysql.Config
}

// rootPassword has what breaks a DSN that is put together by hand.
const rootPassword = `p@ss/w:ord?&'"%`

var theMySQL = struct {
	sync.Once
	server *MySQLServer
	err    error
}{}

// MySQL returns this process's MariaDB, started at its first use. Where there is none the test is skipped, with CI=true it
// fails.
func MySQL(t testing.TB) *MySQLServer {
	t.Helper()
	if dsn := os.Getenv(mysqlVariable); dsn != "" {
		config, err := mysql.ParseDSN(dsn)
		if err != nil {
			t.Fatalf("%s: %v", mysqlVariable, err)
		}
		return &MySQLServer{config: config}
	}
	program := Tool(t, "mariadbd", "mariadb-server")
	theMySQL.Do(func() { theMySQL.server, theMySQL.err = startMySQL(t.Context(), program) })
	if theMySQL.err != nil {
		t.Fatal(theMySQL.err)
	}
	return theMySQL.server
}

var databases atomic.Int64

// DSN returns a data source name of a new, empty name for a database, which does not exist yet and is dropped when the
// test ends.
func (s *MySQLServer) DSN(t testing.TB) string {
	t.Helper()
	c := s.config.Clone()
	c.DBName = fmt.Sprintf("dogear_test_%d_%d", os.Getpid(), databases.Add(1))
	t.Cleanup(func() {
		db := s.Open(t)
		defer db.Close()
		if _, err := db.Exec("DROP DATABASE IF EXISTS `" + c.DBName + "`"); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return c.FormatDSN()
}

// Open connects to the server as its administrator, with no database chosen. Close it.
func (s *MySQLServer) Open(t testing.TB) *sql.DB {
	t.Helper()
	connector, err := mysql.NewConnector(s.config)
	if err != nil {
		t.Fatal(err)
	}
	return sql.OpenDB(connector)
}

// startMySQL makes a data folder and starts a server on it. options are mariadbd's, such as --max-allowed-packet=1M.
func startMySQL(ctx context.Context, program string, options ...string) (*MySQLServer, error) {
	dir, err := folder("mariadb")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := installMySQL(ctx, dir); err != nil {
		return nil, err
	}
	s := &Server{Dir: dir, Port: port, args: append([]string{program, "--no-defaults"}, append(mysqlOptions(dir, port), options...)...)}
	config := mysql.NewConfig()
	config.User, config.Passwd, config.Net = "root", rootPassword, "tcp"
	config.Addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	s.ready = func(ctx context.Context) error { return ping(ctx, config) }
	keep(s)
	return &MySQLServer{s, config}, s.Start()
}

func ping(ctx context.Context, config *mysql.Config) error {
	quiet := config.Clone()
	quiet.Logger = &mysql.NopLogger{} // it is refused until the server is up
	connector, err := mysql.NewConnector(quiet)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	return db.PingContext(ctx)
}

// installMySQL makes the system tables, and the file that sets the administrator's password at the start.
func installMySQL(ctx context.Context, dir string) error {
	password := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(rootPassword)
	init := fmt.Sprintf("ALTER USER 'root'@'localhost' IDENTIFIED BY '%s';\n", password)
	if err := os.WriteFile(filepath.Join(dir, "init.sql"), []byte(init), 0o600); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, "mariadb-install-db", "--no-defaults", "--datadir="+filepath.Join(dir, "data"),
		"--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve", "--user="+userName())
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("make MariaDB's data folder: %w\n%s", err, out)
	}
	return nil
}

func mysqlOptions(dir string, port int) []string {
	return []string{
		"--datadir=" + filepath.Join(dir, "data"), "--socket=" + filepath.Join(dir, "s"), "--pid-file=" + filepath.Join(dir, "pid"),
		"--bind-address=127.0.0.1", "--port=" + strconv.Itoa(port), "--user=" + userName(),
		"--init-file=" + filepath.Join(dir, "init.sql"), "--innodb-buffer-pool-size=64M", "--skip-log-bin",
	}
}

// userName is who runs the tests: mariadbd as root wants to be told so.
func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "root"
}
