package cli

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/export"
)

const importHelp = `What a script finished is done and is not asked for again; what it gave up is failed, and
"dogear retry" takes it. current_page N means that everything below N is done but what failed,
where the job has one range of numbers that counts up. What is damaged is told and left out.`

func newImport(s Streams) *cli.Command {
	name := &cli.StringFlag{Name: "name", Usage: "the `NAME` that the checkpoint has", DefaultText: "the job's"}
	return command(&cli.Command{
		Name: "import", Usage: "take over a checkpoint that a script left behind", ArgsUsage: "json|redis|mysql JOB",
		Description: "Example: dogear import json products.yaml --file progress.json\n\n" + importHelp,
		Flags:       []cli.Flag{},
		Action: func(c *cli.Context) error {
			return usagef("import from what? dogear import json|redis|mysql JOB")
		},
		Subcommands: []*cli.Command{
			newImportFrom(s, "json", `{"current_page": 17, "finished_urls": [...], "fail_urls": [...]}`,
				"dogear import json products.yaml --file progress.json", openJSON,
				&cli.StringFlag{Name: "file", Usage: "the checkpoint's `FILE`"}),
			newImportFrom(s, "redis",
				"crawl:break:NAME:current_page, :finished_urls, :fail_urls; crawler:NAME:completed_ids, :failed_ids",
				"dogear import redis products.yaml --url redis://127.0.0.1:6379/0 --name my_spider", openRedis, name,
				&cli.StringFlag{Name: "url",
					Usage:       "where it is: `URL`, as redis://:password@host:6379/0",
					DefaultText: "REDIS_HOST, _PORT, _DB and _PASSWORD, also from .env"}),
			newImportFrom(s, "mysql",
				"the row of a task_name in crawl_breakpoint: current_page, finished_urls, fail_urls",
				"dogear import mysql products.yaml --dsn 'user:password@tcp(127.0.0.1:3306)/crawler' --name my_spider",
				openMySQL, name,
				&cli.StringFlag{Name: "dsn",
					Usage:       "where it is: `DSN`, as user:password@tcp(host:3306)/db",
					DefaultText: "MYSQL_HOST, _PORT, _USER, _PASSWORD and _DB, also from .env"}),
		},
	})
}

// checkpoint is what a script left, wherever it is.
type checkpoint interface {
	Each(ctx context.Context, list export.List, entry func(export.Entry) error, damage func(export.Damage)) error
	Page() export.Page
	Damages() []export.Damage
	Close() error
}

type openCheckpoint func(c *cli.Context, j *job.Job) (checkpoint, error)

func newImportFrom(s Streams, kind, usage, example string, open openCheckpoint, flags ...cli.Flag) *cli.Command {
	return command(&cli.Command{
		Name: kind, Usage: usage, ArgsUsage: "JOB", Description: "Example: " + example + "\n\n" + importHelp,
		Flags: append(flags, stateFlag(),
			&cli.BoolFlag{Name: "accept", DisableDefaultText: true,
				Usage: "go on though the job's rules changed; records already kept stay as they are"}),
		Action: func(c *cli.Context) error {
			t, err := find(c)
			if err != nil {
				return err
			}
			j, err := t.load(c.Context)
			if err != nil {
				return err
			}
			left, err := open(c, j)
			if err != nil {
				return err
			}
			defer left.Close()
			return importCheckpoint(c.Context, s, t, j, left, c.Bool("accept"))
		},
	})
}

func openJSON(c *cli.Context, _ *job.Job) (checkpoint, error) {
	if c.String("file") == "" {
		return nil, usagef("which file? dogear import json JOB --file FILE")
	}
	return export.OpenLeftJSON(c.String("file"))
}

func openRedis(c *cli.Context, j *job.Job) (checkpoint, error) {
	from, err := redisTarget(j, c.String("url"), "--url")
	if err != nil {
		return nil, err
	}
	return export.OpenLeftRedis(c.Context, from, checkpointName(c, j))
}

func openMySQL(c *cli.Context, j *job.Job) (checkpoint, error) {
	values, err := variables(j, "MYSQL_HOST", "MYSQL_PORT", "MYSQL_USER", "MYSQL_PASSWORD", "MYSQL_DB")
	if err != nil {
		return nil, err
	}
	from, err := export.MySQLSource(c.String("dsn"), func(name string) string { return values[name] }, j.Name)
	if err != nil {
		return nil, usagef("%v", err)
	}
	return export.OpenLeftMySQL(c.Context, from, checkpointName(c, j))
}

// variables looks up variables in the environment and in the .env beside the job.
func variables(j *job.Job, names ...string) (map[string]string, error) {
	values := map[string]string{}
	for _, name := range names {
		value, err := j.Getenv(name)
		if err != nil {
			return nil, err
		}
		values[name] = value
	}
	return values, nil
}

func checkpointName(c *cli.Context, j *job.Job) string {
	if c.IsSet("name") {
		return c.String("name")
	}
	return j.Name
}

func importCheckpoint(ctx context.Context, s Streams, t target, j *job.Job, left checkpoint, accept bool) error {
	i := newImporter(j, left, s.Err)
	summary, err := crawl.Run(ctx, ctx, crawl.Options{
		Job: j, Path: t.statePath, Version: Version, Accept: accept, Import: i.take, NoFetch: true,
		Tell: teller(s, j.Name, t.statePath),
		Warn: func(text string) { fmt.Fprintf(s.Err, "%s: %s\n", j.Name, text) },
	})
	if err != nil {
		return err
	}
	i.summary(t, summary)
	return nil
}
