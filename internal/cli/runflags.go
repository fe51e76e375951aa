package cli

import (
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
)

func runFlags() []cli.Flag {
	return append([]cli.Flag{
		stateFlag(),
		&cli.StringFlag{Name: "rate", Usage: "requests per host: `5/s`, 300/m, 1000/h or none",
			DefaultText: "the job's"},
		&cli.StringFlag{Name: "concurrency", Usage: "`N` requests at the same time, or auto", DefaultText: "the job's"},
		&cli.Int64Flag{Name: "limit", Usage: "stop after `N` tasks", DefaultText: "none"},
		&cli.BoolFlag{Name: "accept", DisableDefaultText: true,
			Usage: "go on though the job's rules changed; records already kept stay as they are"},
		&cli.BoolFlag{Name: "quiet", DisableDefaultText: true, Aliases: []string{"q"}, Usage: "print errors only"},
		&cli.BoolFlag{Name: "json", DisableDefaultText: true,
			Usage: "tell how it goes as JSON on stdout, an event a line"},
		&cli.StringFlag{Name: "every",
			Usage:       "how often: a `TIME` between two lines elsewhere than on a terminal, or two events",
			DefaultText: "10s"},
		metricsFlag(),
	}, slices.Concat(logFlags(), mirrorFlags(), syncFlags())...)
}

func readRunFlags(c *cli.Context) (runOptions, error) {
	t, err := find(c)
	if err != nil {
		return runOptions{}, err
	}
	o := runOptions{target: t, limit: c.Int64("limit"), quiet: c.Bool("quiet"), json: c.Bool("json"), fresh: c.Bool("fresh"),
		accept: c.Bool("accept"), sync: c.String("sync"), dsn: c.String("dsn"), metrics: c.String("metrics")}
	if c.IsSet("metrics") && o.metrics == "" {
		return o, usagef("--metrics takes an address")
	}
	for _, name := range []string{"json", "every", "log-dir", "log-level", "metrics"} {
		if c.IsSet(name) && c.Bool("no-run") {
			return o, usagef("--%s goes with a run, and --no-run makes none", name)
		}
	}
	if o.every, err = readEvery(c); err != nil {
		return o, err
	}
	if o.log, err = readLog(c); err != nil {
		return o, err
	}
	if o.mirror, err = readMirrors(c); err != nil {
		return o, err
	}
	if c.IsSet("limit") && o.limit < 1 {
		return o, usagef("--limit takes a number of 1 or more")
	}
	if c.IsSet("concurrency") {
		if o.concurrency, err = job.ParseConcurrency(c.String("concurrency")); err != nil {
			return o, usagef("--concurrency: %v", err)
		}
	}
	if text := c.String("rate"); text != "" {
		rate, err := job.ParseRate(text)
		if err != nil {
			return o, usagef("--rate: %v", err)
		}
		o.rate = &rate
	}
	return o, nil
}

// leastEvery is how often progress is told at the most.
const leastEvery = 100 * time.Millisecond

func readEvery(c *cli.Context) (time.Duration, error) {
	if !c.IsSet("every") {
		return lineEvery, nil
	}
	d, err := job.ParseDuration(c.String("every"))
	if err != nil || d < leastEvery {
		return 0, usagef("--every is a time of %v or more, such as 1s or 1m, not %q", leastEvery, c.String("every"))
	}
	return d, nil
}
