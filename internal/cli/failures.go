package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"github.com/urfave/cli/v2"

	"dogear/state"
)

func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "kind", Usage: "only failures of this `KIND`: network, timeout, server, client, …"},
		&cli.IntFlag{Name: "status", Usage: "only this HTTP `STATUS`", DefaultText: "any"},
		&cli.StringFlag{Name: "match", Usage: "only URLs that match `REGEX`"},
	}
}

func readFilter(c *cli.Context) (state.Filter, error) {
	f := state.Filter{Kind: c.String("kind"), Status: c.Int("status")}
	if text := c.String("match"); text != "" {
		var err error
		if f.Match, err = regexp.Compile(text); err != nil {
			return f, usagef("--match: %v", err)
		}
	}
	return f, nil
}

func newFailures(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "failures", Usage: "list the tasks that were given up, with reasons", ArgsUsage: "JOB",
		Description: "Example: dogear failures products.yaml --kind server",
		Flags:       append(filterFlags(), stateFlag(), &cli.BoolFlag{Name: "json", DisableDefaultText: true, Usage: "one JSON array"}),
		Action: func(c *cli.Context) error {
			t, err := find(c)
			if err != nil {
				return err
			}
			filter, err := readFilter(c)
			if err != nil {
				return err
			}
			store, err := t.open(c.Context)
			if err != nil {
				return err
			}
			defer store.Close()
			if c.Bool("json") {
				return failuresJSON(c.Context, s.Out, store, filter)
			}
			return failuresText(c.Context, s, store, filter, t)
		},
	})
}

// failuresJSON writes one array, an element a line, as the tasks are read: there may be millions.
func failuresJSON(ctx context.Context, w io.Writer, store *state.Store, filter state.Filter) error {
	out := bufio.NewWriter(w)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	before := "["
	err := store.EachFailed(ctx, filter, func(f state.FailedTask) error {
		out.WriteString(before) // its error comes with Flush
		before = ","
		return e.Encode(f)
	})
	if err != nil {
		return err
	}
	if before == "[" {
		out.WriteString("[")
	}
	out.WriteString("]\n")
	return out.Flush()
}

func failuresText(ctx context.Context, s Streams, store *state.Store, filter state.Filter, t target) error {
	var n int64
	err := store.EachFailed(ctx, filter, func(f state.FailedTask) error {
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
