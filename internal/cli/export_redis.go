package cli

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
	"dogear/export"
)

const redisHelp = `Examples: dogear export redis products.yaml --url redis://:PASSWORD@127.0.0.1:6379/0
          dogear export redis products.yaml --ttl 7d

Without --url, REDIS_HOST, REDIS_PORT, REDIS_DB and REDIS_PASSWORD are taken from the environment or from .env
beside the job. The keys are crawl:break:JOB:current_page (string), :finished_urls (set), :fail_urls (list) and,
for a job with an id or page range, crawler:JOB:completed_ids, :failed_ids (sets), :stats (hash: completed, failed,
total, progress). They are replaced all at once: a reader never sees half.`

func newExportRedis(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "redis", Usage: "the checkpoint as keys in Redis", ArgsUsage: "JOB",
		Description: redisHelp,
		Flags: []cli.Flag{
			stateFlag(),
			&cli.StringFlag{Name: "url", Usage: "where Redis is: `URL`, such as redis://HOST:6379/0, or rediss:// for TLS",
				DefaultText: "from REDIS_HOST, …"},
			&cli.StringFlag{Name: "ttl", Usage: "let the keys expire after `DURATION`: 12h, 7d. For jobs that are finished",
				DefaultText: "never"},
		},
		Action: func(c *cli.Context) error { return exportRedis(c, s) },
	})
}

func exportRedis(c *cli.Context, s Streams) error {
	t, err := find(c)
	if err != nil {
		return err
	}
	var ttl time.Duration
	if text := c.String("ttl"); text != "" {
		if ttl, err = job.ParseDuration(text); err != nil || ttl < time.Millisecond {
			return usagef("--ttl is written 12h, 7d or 1d12h, not %q", text)
		}
	}
	j, err := t.load(c.Context)
	if err != nil {
		return err
	}
	to, err := redisTarget(j, c.String("url"), "--url")
	if err != nil {
		return err
	}
	store, err := t.open(c.Context)
	if err != nil {
		return err
	}
	defer store.Close()
	n, err := checkpointOf(j).Redis(c.Context, store, to, ttl)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s and %s of %s in %s, under crawl:break:%[3]s:*\n", counted(n.Finished, "finished URL"),
		counted(n.Failed, "failed one"), j.Name, to)
	return nil
}

// redisTarget reads where Redis is from a URL, or without one from the environment and the .env beside the job. flag is
// where the URL was given.
func redisTarget(j *job.Job, url, flag string) (*export.RedisTarget, error) {
	if url != "" {
		to, err := export.ParseRedisURL(url)
		if err != nil {
			return nil, usagef("%s: %v", flag, err)
		}
		return to, nil
	}
	v, err := variables(j, "REDIS_HOST", "REDIS_PORT", "REDIS_DB", "REDIS_PASSWORD")
	if err != nil {
		return nil, err
	}
	to, err := export.RedisAt(v["REDIS_HOST"], v["REDIS_PORT"], v["REDIS_DB"], v["REDIS_PASSWORD"])
	if err != nil {
		return nil, usagef("%v", err)
	}
	return to, nil
}
