package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"dogear/state"
)

func newReset(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "reset", Usage: "forget a job's state, records included, and start over", ArgsUsage: "JOB",
		Description: "Example: dogear reset products.yaml",
		Flags:       []cli.Flag{stateFlag(), &cli.BoolFlag{Name: "yes", DisableDefaultText: true, Aliases: []string{"y"}, Usage: "do not ask"}},
		Action: func(c *cli.Context) error {
			t, err := find(c)
			if err != nil {
				return err
			}
			return reset(c, s, t)
		},
	})
}

func reset(c *cli.Context, s Streams, t target) error {
	what := "a file that can't be read as a state file"
	store, err := t.open(c.Context)
	switch {
	case errors.Is(err, state.ErrForeign), errors.Is(err, state.ErrNone):
		return err // there is none, or it is not ours to delete
	case err == nil:
		p, err := store.Progress(c.Context)
		store.Close()
		if err == nil {
			what = fmt.Sprintf("%s tasks done, %s failed, %s left", count(p.Done), count(p.Failed), count(p.Pending+p.InFlight))
		}
	}
	if !c.Bool("yes") {
		fmt.Fprintf(s.Err, "forget %s (%s)? [y/N] ", t.statePath, what)
		if !confirmed(s.In) {
			return usagef("nothing was changed (--yes does not ask)")
		}
	}
	if err := state.Remove(c.Context, t.statePath); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s is gone; `dogear run %s` starts over\n", t.statePath, shown(t))
	return nil
}

func confirmed(in io.Reader) bool {
	answer, _ := bufio.NewReader(in).ReadString('\n') // no answer is a no
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
