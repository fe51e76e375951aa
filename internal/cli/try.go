package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/state"
)

const tryHelp = `Example: dogear try shop.yaml https://shop.example/item/7 --as product

Shows the request, the answer, what the job expects of it, the records and links, and which selectors match nothing.
Without a URL it is the first page of the job. Exit 0: a run would call the task done; 1: it would not.

  dogear try shop.yaml --save pages                        keeps the page as pages/HOST_PATH.html
  dogear try shop.yaml --file pages/shop.example_1.html    looks at it again, and fetches nothing
  dogear try shop.yaml --file saved.html --url https://shop.example/item/7    the same with any file`

// tryOptions are what the command line of try says.
type tryOptions struct {
	url, as string
	save    string // folder
	file    string // instead of fetching; url is what --url says then
}

func newTry(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "try", Usage: "fetch one page and show what the job makes of it; writes nothing", ArgsUsage: "JOB [URL]",
		Description: tryHelp,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "as", Usage: "the `KIND` of page that the URL brings, when the job has several"},
			&cli.StringFlag{Name: "save", Usage: "keep the page in the folder `DIR`"},
			&cli.StringFlag{Name: "file", Usage: "look at the page in `FILE`; nothing is fetched"},
			&cli.StringFlag{Name: "url", Usage: "with --file: the `URL` that it came from"},
		},
		Action: func(c *cli.Context) error {
			if n := c.Args().Len(); n < 1 || n > 2 {
				return usagef("dogear try JOB [URL]")
			}
			o := tryOptions{c.Args().Get(1), c.String("as"), c.String("save"), c.String("file")}
			switch {
			case o.file != "" && o.url != "":
				return usagef("--file is looked at instead of a URL; where it came from is said with --url %s", o.url)
			case o.file == "" && c.IsSet("url"):
				return usagef("--url goes with --file; a URL to fetch comes without it: dogear try JOB %s", c.String("url"))
			case o.file != "":
				o.url = c.String("url")
			}
			j, err := locate(c.Args().First(), "").load(c.Context)
			if err != nil {
				return err
			}
			return runTry(c.Context, s, j, o)
		},
	})
}

func runTry(ctx context.Context, s Streams, j *job.Job, o tryOptions) error {
	t, err := tried(ctx, s, j, o)
	if err != nil {
		return err
	}
	text := newSheet(s.Out)
	text.tried(t, o.file)
	if _, err := s.Out.Write(text.Bytes()); err != nil {
		return err
	}
	if err := keep(s, j, t, o.save); err != nil {
		return err
	}
	if t.Outcome.State != state.Done {
		return ended(exitError)
	}
	return nil
}

func tried(ctx context.Context, s Streams, j *job.Job, o tryOptions) (*crawl.Tried, error) {
	warn := func(text string) { fmt.Fprintf(s.Err, "%s: %s\n", j.Name, visible(text)) }
	options := crawl.Options{Job: j, Version: Version, Warn: warn}
	if o.file == "" {
		return crawl.Try(ctx, options, o.url, o.as)
	}
	task, page, err := openFixture(o.file, o.url, j)
	if err != nil {
		return nil, err
	}
	task.Page = cmp.Or(o.as, task.Page)
	return crawl.TryPage(options, task, page)
}

// keep saves the page, if it is to be, and says where.
func keep(s Streams, j *job.Job, t *crawl.Tried, dir string) error {
	switch {
	case dir == "":
		return nil
	case t.Page == nil:
		fmt.Fprintln(s.Err, "There was no page to save.")
		return nil
	}
	path, err := saveFixture(dir, j, t)
	if err == nil {
		fmt.Fprintf(s.Err, "Saved as %s; what is known of it is in %s.\n", quoted(path), quoted(path+sideExt))
	}
	return err
}
