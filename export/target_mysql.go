package export

import (
	"cmp"
	"errors"
	"net"

	"github.com/go-sql-driver/mysql"
)

// MySQLConfig says how to reach a MySQL: by a DSN as the driver reads it, user:password@tcp(host:port)/db, or without one by
// MYSQL_HOST, MYSQL_PORT, MYSQL_USER, MYSQL_PASSWORD and MYSQL_DB, which env looks up. Its errors show no value.
func MySQLConfig(dsn string, env func(string) (string, bool)) (*mysql.Config, error) {
	if dsn != "" {
		c, err := mysql.ParseDSN(dsn)
		if err != nil {
			return nil, errors.New("the DSN can't be read (it is not shown); it is written user:password@tcp(host:3306)/db")
		}
		if c.DBName == "" {
			return nil, errors.New("the DSN names no database; it is written user:password@tcp(host:3306)/db")
		}
		return c, nil
	}
	get := func(name, other string) string {
		v, _ := env(name)
		return cmp.Or(v, other)
	}
	c := mysql.NewConfig()
	c.Net, c.Addr = "tcp", net.JoinHostPort(get("MYSQL_HOST", "127.0.0.1"), get("MYSQL_PORT", "3306"))
	c.User, c.Passwd, c.DBName = get("MYSQL_USER", "root"), get("MYSQL_PASSWORD", ""), get("MYSQL_DB", "")
	if c.DBName == "" {
		return nil, errors.New("which MySQL? Give --dsn 'user:password@tcp(host:3306)/db', or set MYSQL_DB (and MYSQL_HOST, MYSQL_PORT, " +
			"MYSQL_USER, MYSQL_PASSWORD) in the environment or in a file .env beside the job file")
	}
	return c, nil
}
