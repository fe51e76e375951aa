package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"dogear/state"
)

func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "kind", Usage: "only failures of this `KIND`: network, timeout, server, client, …"},
		&cli.IntFlag{Name: "status", Usage: "only this HTTP `STATUS`", DefaultText: "any"},
		&cli.StringFlag{Name: "match", Usage: "only URLs that contain `TEXT`"},
	}
}

func readFilter(c *cli.Context) state.Filter {
	return state.Filter{Kind: c.String("kind"), Status: c.Int("status"), Match: c.String("match")}
}

func newFailures(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "failures", Usage: "list the tasks that were given up, with reasons", ArgsUsage: "JOB",
		Description: "Example: dogear failures products.yaml --kind server",
		Flags:       append(filterFlags(), stateFlag(), &cli.BoolFlag{Name: "json", DisableDefaultText: true, Usage: "one JSON object a line"}),
		Action: func(c *cli.Context) error {
			t, err := find(c)
			if err != nil {
				return err
			}
			store, err := t.open(c.Context)
			if err != nil {
				return err
			}
			defer store.Close()
			if c.Bool("json") {
				return failuresJSON(c, s.Out, store)
			}
			return failuresText(c, s, store, t)
		},
	})
}

func failuresJSON(c *cli.Context, w io.Writer, store *state.Store) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return store.EachFailed(c.Context, readFilter(c), func(f state.FailedTask) error { return e.Encode(f) })
}

func failuresText(c *cli.Context, s Streams, store *state.Store, t target) error {
	var n int64
	err := store.EachFailed(c.Context, readFilter(c), func(f state.FailedTask) error {
		n++
		_, err := fmt.Fprintf(s.Out, "%s  %s %s after %s  %s\n    %s\n", f.At, f.Kind, statusText(f.Status), counted(int64(f.Attempts), "attempt"), visible(f.URL), visible(f.Error))
		return err
	})
	if err != nil {
		return err
	}
	if n == 0 {
		fmt.Fprintln(s.Err, "no such failures")
		return nil
	}
	fmt.Fprintf(s.Err, "%s; `dogear retry %s` tries them again (--kind, --status, --match pick some)\n", counted(n, "failed task"), shown(t))
	return nil
}
