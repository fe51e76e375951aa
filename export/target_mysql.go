package export

import (
	"cmp"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// ErrDSN says that a DSN is not of the driver's form. It quotes nothing of it: what is wrong may be the password.
var ErrDSN = errors.New("the DSN is not of the form user:password@tcp(host:3306)/database?name=value " +
	"(it is not shown: it may hold a password)")

// MySQLSource says where to read from: by a DSN as the driver reads it, or without one by MYSQL_HOST (a path is a
// socket), MYSQL_PORT, MYSQL_USER, MYSQL_PASSWORD and MYSQL_DB. What is missing is localhost, 3306, root and no
// password; the database is called like the job.
func MySQLSource(dsn string, env func(name string) string, job string) (*mysql.Config, error) {
	c := mysql.NewConfig()
	if dsn != "" {
		var err error
		if c, err = mysql.ParseDSN(dsn); err != nil || !slices.Contains([]string{"tcp", "tcp4", "tcp6", "unix"}, c.Net) {
			return nil, ErrDSN // the driver's errors quote parts of it
		}
	} else {
		c.User, c.Passwd, c.DBName = cmp.Or(env("MYSQL_USER"), "root"), env("MYSQL_PASSWORD"), env("MYSQL_DB")
		host := strings.Trim(cmp.Or(env("MYSQL_HOST"), "localhost"), "[]")
		c.Net, c.Addr = "tcp", net.JoinHostPort(host, cmp.Or(env("MYSQL_PORT"), "3306"))
		if strings.HasPrefix(host, "/") {
			c.Net, c.Addr = "unix", host
		}
	}
	c.DBName = cmp.Or(c.DBName, job)
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	c.InterpolateParams, c.ParseTime = true, false // so that every value comes as text
	c.MaxAllowedPacket = 1 << 30
	c.Logger = &mysql.NopLogger{} // what it would print comes back as an error
	return c, nil
}
