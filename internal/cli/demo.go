package cli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
	"dogear/internal/practice"
)

const (
	demoDir      = "dogear-demo"
	demoProducts = 2000
	demoPages    = 50
)

//go:embed demo_products.yaml
var demoProductsJob string

//go:embed demo_movies.yaml
var demoMoviesJob string

func newDemo(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "demo", Usage: "a practice site and two jobs against it, no network needed",
		Description: "Example: dogear demo\n\nMakes ./" + demoDir + " with two job files and their state. Kill it and start it again: it carries on.",
		Flags:       []cli.Flag{},
		Action:      func(c *cli.Context) error { return demo(c.Context, s) },
	})
}

// demo runs the two jobs, one after the other, as `dogear run` would.
func demo(ctx context.Context, s Streams) error {
	site, err := startDemoSite()
	if err != nil {
		return err
	}
	defer site.Close()
	fmt.Fprintf(s.Err, "practice site on %s\nKill this at any moment (Ctrl-C, kill -9) and start it again: it carries on.\n\n", site.URL)
	code := exitComplete
	for _, name := range []string{"movies", "products"} {
		err := runJob(ctx, s, runOptions{target: locate(filepath.Join(demoDir, name+".yaml"), ""), every: lineEvery,
			demo: true}, nil)
		var o outcome
		if err != nil && !errors.As(err, &o) {
			return err
		}
		if code = max(code, o.code); o.code == exitInterrupted {
			fmt.Fprintln(s.Err, "\nThe same command carries on.")
			return ended(code)
		}
		fmt.Fprintln(s.Err)
	}
	fmt.Fprint(s.Err, demoNext)
	return ended(code)
}

const demoNext = `look at what there is:
  sqlite3 -box dogear-demo/products.db 'select * from progress'
  sqlite3 -box dogear-demo/products.db 'select product_id, name, price, stock from products limit 5'
  sqlite3 -box dogear-demo/movies.db 'select title, score from movies order by score+0 desc limit 5'
  sqlite3 -box dogear-demo/products.db 'select * from recent limit 5'
  sqlite3 -box dogear-demo/products.db "select id, coalesce(ended, 'died') as ended, done, retried, records from runs"
the same command carries on after a kill; rm -r dogear-demo starts over
`

// startDemoSite starts the practice site and writes the job files that ask it. When they are there already the site gets
// the address that stands in them: a URL is a task's identity, so at another one nothing would be known.
func startDemoSite() (*practice.Server, error) {
	o := practice.Options{Products: demoProducts, Pages: demoPages, Faults: []practice.Fault{{Path: "/v1/product/*", Script: "500", Every: 100}}}
	movies := filepath.Join(demoDir, "movies.yaml")
	j, err := job.Load(movies)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newDemoSite(o)
	case err != nil:
		return nil, err
	}
	u, err := url.Parse(j.Starts[0].Request(0).URL)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", movies, err)
	}
	if host := u.Hostname(); host != "127.0.0.1" {
		return nil, fmt.Errorf("%s asks %s, not the practice site: rm -r %s starts the demo over", movies, u.Host, demoDir)
	}
	o.Addr = u.Host
	site, err := practice.Start(o)
	if err != nil {
		return nil, fmt.Errorf("the demo's state belongs to the address %s: %w; is another demo running? rm -r %s starts over", u.Host, err, demoDir)
	}
	return site, nil
}

func newDemoSite(o practice.Options) (*practice.Server, error) {
	site, err := practice.Start(o)
	if err != nil {
		return nil, err
	}
	err = os.MkdirAll(demoDir, 0o755)
	// movies.yaml last: where it is, the other one is too.
	for _, f := range []struct{ name, text string }{{"products.yaml", demoProductsJob}, {"movies.yaml", demoMoviesJob}} {
		if err == nil {
			err = os.WriteFile(filepath.Join(demoDir, f.name), []byte(strings.ReplaceAll(f.text, "http://practice", site.URL)), 0o644)
		}
	}
	if err != nil {
		site.Close()
		return nil, fmt.Errorf("write the demo's jobs: %w", err)
	}
	return site, nil
}
