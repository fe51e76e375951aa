package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
	"dogear/export"
	"dogear/schema"
)

// mysqlPatience is how long a server that goes away while records are sent is tried again without getting on.
const mysqlPatience = time.Minute

const mysqlHelp = `Examples: dogear export mysql products.yaml
          dogear export mysql products.yaml --dsn 'user:password@tcp(db.example:3306)/shop?tls=true'
          dogear export mysql products.yaml --print-ddl

Makes the database and the tables if they are absent, then sends what changed since the last export; killed anywhere, the
same command carries on. Without --dsn the server is that of MYSQL_HOST, MYSQL_PORT, MYSQL_USER, MYSQL_PASSWORD and
MYSQL_DB in the environment or in .env beside the job file (default: root on localhost:3306, a database named like the job).
Times there are UTC. A table without a key holds what the state file holds, no more; in one with a key no row is deleted.
--state here sends how the tasks stand; for another state file give that file as JOB.`

func dsnFlag() cli.Flag {
	return &cli.StringFlag{Name: "dsn", Usage: "the server, as `user:password@tcp(host:3306)/database`", DefaultText: "MYSQL_HOST and so on"}
}

func newExportMySQL(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "mysql", Usage: "tables on a MySQL or MariaDB server", ArgsUsage: "JOB", Description: mysqlHelp,
		Flags: []cli.Flag{
			dsnFlag(),
			&cli.StringFlag{Name: "table", Usage: "only the record `TABLE`"},
			&cli.BoolFlag{Name: "state", DisableDefaultText: true,
				Usage: "also crawl_tasks, a row per task, and crawl_breakpoint, a checkpoint as scripts keep it"},
			&cli.BoolFlag{Name: "since-start", DisableDefaultText: true, Usage: "send all records again, not only what changed"},
			&cli.BoolFlag{Name: "print-ddl", DisableDefaultText: true,
				Usage: "print the statements that would make the tables, and connect to nothing"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, DisableDefaultText: true, Usage: "print errors only"},
		},
		Action: func(c *cli.Context) error { return exportMySQL(c, s) },
	})
}

func exportMySQL(c *cli.Context, s Streams) error {
	if c.Args().Len() != 1 {
		return usagef("one job: dogear export mysql JOB.yaml (--state takes no file here; see dogear export mysql --help)")
	}
	t := locate(c.Args().First(), "")
	j, err := t.load(c.Context)
	if err != nil {
		return err
	}
	o := export.MySQLOptions{Job: j.Name, SinceStart: c.Bool("since-start"), States: c.Bool("state"),
		Patience: mysqlPatience}
	if o.Target, err = mysqlTarget(j, c.String("dsn")); err != nil {
		return err
	}
	if o.Tables, err = pickTables(j, c.String("table"), o.States); err != nil {
		return err
	}
	if c.Bool("print-ddl") {
		for _, statement := range export.MySQLStatements(o.Target, o.Tables, o.States) {
			fmt.Fprintf(s.Out, "%s;\n\n", statement)
		}
		return nil
	}
	return sendToMySQL(c.Context, s, t, j, o, c.Bool("quiet"))
}

func sendToMySQL(ctx context.Context, s Streams, t target, j *job.Job, o export.MySQLOptions, quiet bool) error {
	store, err := t.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	ctx, stop := untilInterrupted(ctx, s.Err, "stopping: what was sent stays; the same command carries on")
	defer stop()
	if o.States {
		// Before the tasks are read, so that it is too low rather than too high while a run goes on.
		if o.CurrentPage, err = currentPage(ctx, store, j); err != nil {
			return err
		}
	}
	show := newSending(o.Job, s.Err, quiet)
	o.Watch, o.Warn = show.watch, show.warn
	m := export.NewMySQL(o)
	defer m.Close()
	began := time.Now()
	sent, err := m.Send(ctx, store)
	show.stop()
	took := time.Since(began)
	switch {
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintf(s.Err, "%s: interrupted: %s sent to %s; the same command carries on\n",
			o.Job, counted(sent.Rows, "row"), o.Target)
		return ended(exitInterrupted)
	case export.MySQLAway(err):
		return fmt.Errorf("%w\n%s sent; what was sent stays, the same command carries on", err, counted(sent.Rows, "row"))
	case err != nil:
		return err
	case !quiet:
		fmt.Fprintf(s.Err, "%s: %s of %s sent to %s in %s%s\n", o.Job, counted(sent.Rows, "row"),
			counted(sent.Tables, "table"), o.Target, round(took), perSecond(sent.Rows, took))
	}
	return nil
}

// mysqlTarget reads where the server is.
func mysqlTarget(j *job.Job, dsn string) (*export.MySQLTarget, error) {
	var bad error
	t, err := export.ParseMySQLTarget(dsn, func(name string) string {
		value, err := j.Getenv(name)
		if err != nil {
			bad = err
		}
		return value
	}, j.Name)
	if errors.Is(err, export.ErrDSN) {
		return nil, usagef("--dsn: %v", err)
	}
	return t, errors.Join(err, bad)
}

// pickTables returns the tables to send: all, or the one that was named.
func pickTables(j *job.Job, name string, none bool) ([]*schema.Table, error) {
	tables := j.Tables()
	if name == "" {
		if len(tables) == 0 && !none {
			return nil, usagef("job %s keeps no records; --state sends how its tasks stand", j.Name)
		}
		return tables, nil
	}
	var names []string
	for _, t := range tables {
		if t.Name == name {
			return []*schema.Table{t}, nil
		}
		names = append(names, t.Name)
	}
	return nil, usagef("job %s has no table %q, only %s", j.Name, name, strings.Join(names, ", "))
}
