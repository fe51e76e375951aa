package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"dogear/schema"
)

// MySQLTarget is a database on a server. Printed it shows neither the password nor the DSN.
type MySQLTarget struct{ config *mysql.Config }

// ParseMySQLTarget reads a DSN or the environment, as MySQLSource does. Errors: ErrDSN.
func ParseMySQLTarget(dsn string, env func(name string) string, job string) (*MySQLTarget, error) {
	c, err := MySQLSource(dsn, env, job)
	if err != nil {
		return nil, err
	}
	return &MySQLTarget{settle(c)}, nil
}

// settle fixes what the export relies on, whatever the DSN or the server's defaults say. The mode is set as a whole, so that
// neither NO_BACKSLASH_ESCAPES nor ANSI_QUOTES changes what a statement means. A value that does not fit is an error.
func settle(c *mysql.Config) *mysql.Config {
	if c.Params == nil {
		c.Params = map[string]string{}
	}
	for name := range c.Params {
		if strings.EqualFold(name, "sql_mode") || strings.EqualFold(name, "time_zone") {
			delete(c.Params, name)
		}
	}
	c.Params["sql_mode"] = "'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"
	c.Params["time_zone"] = "'+00:00'"
	_ = c.Apply(mysql.Charset("utf8mb4", "")) // it has no errors
	c.ClientFoundRows, c.MultiStatements, c.AllowAllFiles, c.ParseTime, c.Loc = false, false, false, false, time.UTC
	return c
}

// String says where it is: "database shop on db.example:3306".
func (t *MySQLTarget) String() string {
	return fmt.Sprintf("database %s on %s", t.config.DBName, t.config.Addr)
}

// CreateSQL returns the statement that creates the database if it is not there.
func (t *MySQLTarget) CreateSQL() string {
	return "CREATE DATABASE IF NOT EXISTS " + schema.MySQLQuote(t.config.DBName) + " CHARACTER SET utf8mb4"
}

const erBadDB = 1049 // unknown database

// open connects, and makes the database if it is absent: only then, since it takes a right that few have.
func (t *MySQLTarget) open(ctx context.Context) (*sql.DB, error) {
	db, err := connect(ctx, t.config)
	if numbered(err, erBadDB) {
		if err = t.create(ctx); err == nil {
			db, err = connect(ctx, t.config)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("connect to MySQL on %s as %s: %w%s", t.config.Addr, t.config.User, err, advice(err))
	}
	return db, nil
}

func (t *MySQLTarget) create(ctx context.Context) error {
	c := t.config.Clone()
	c.DBName = ""
	db, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, t.CreateSQL()); err != nil {
		return fmt.Errorf("make database %s: %w", t.config.DBName, err)
	}
	return nil
}

func connect(ctx context.Context, c *mysql.Config) (*sql.DB, error) {
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, ErrDSN
	}
	db := sql.OpenDB(connector)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
