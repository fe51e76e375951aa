package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/state"
)

func newClean(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "clean", Usage: "remove the state of jobs that finished long ago, records included; asks first", ArgsUsage: "DIR",
		Description: "Example: dogear clean --older-than 30d jobs\n\nLooks at the .db files in DIR itself, not in folders below it. Unfinished jobs are left alone.",
		Flags: []cli.Flag{olderFlag("since the last run ended"),
			&cli.BoolFlag{Name: "yes", DisableDefaultText: true, Aliases: []string{"y"}, Usage: "do not ask"}},
		Action: func(c *cli.Context) error {
			older, err := readOlder(c)
			if err != nil {
				return err
			}
			if c.Args().Len() != 1 {
				return usagef("which folder? dogear clean --older-than 30d DIR")
			}
			return clean(c.Context, s, c.Args().First(), time.Now().Add(-older), c.Bool("yes"))
		},
	})
}

func clean(ctx context.Context, s Streams, dir string, before time.Time, yes bool) error {
	paths, err := stateFiles(s.Err, dir)
	if err != nil {
		return err
	}
	var gone []state.Cleanable
	var bytes int64
	for _, path := range paths {
		found, err := state.Inspect(ctx, path, before)
		if !goes(s.Err, found, err) {
			continue
		}
		fmt.Fprintf(s.Out, "%s  %s, %s done, %s failed, last run %s\n", quoted(path), size(found.Bytes), count(found.Done),
			count(found.Failed), found.Last.Local().Format("2006-01-02 15:04"))
		gone = append(gone, found)
		bytes += found.Bytes
	}
	if len(gone) == 0 {
		fmt.Fprintf(s.Err, "nothing to remove in %s\n", quoted(dir))
		return nil
	}
	if !yes {
		fmt.Fprintf(s.Err, "remove %s (%s), records included? [y/N] ", counted(int64(len(gone)), "state file"), size(bytes))
		if !confirmed(s.In) {
			return usagef("nothing was changed (--yes does not ask)")
		}
	}
	return remove(ctx, s, gone, before)
}

// stateFiles are the regular files in a folder that are named like state files. A link is told of and not followed: the
// file it means is somewhere else.
func stateFiles(stderr io.Writer, dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, usagef("can't read the folder: %v", err)
	}
	var paths []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case !strings.EqualFold(filepath.Ext(path), ".db"):
		case e.Type().IsRegular():
			paths = append(paths, path)
		default:
			fmt.Fprintf(stderr, "left alone: %s: not a regular file\n", quoted(path))
		}
	}
	return paths, nil
}

// goes reports whether a file is to be removed, and says why when not.
func goes(w io.Writer, c state.Cleanable, err error) bool {
	why := c.Stays
	var locked *state.LockedError
	switch {
	case errors.As(err, &locked):
		why = "a run is working on it"
	case err != nil:
		why = err.Error()
	}
	if why != "" {
		fmt.Fprintf(w, "left alone: %s: %s\n", quoted(c.Path), why)
	}
	return why == ""
}

// remove removes what was shown, unless it changed in the meantime.
func remove(ctx context.Context, s Streams, files []state.Cleanable, before time.Time) error {
	var n, bytes int64
	for _, f := range files {
		removed, err := state.RemoveFinished(ctx, f.Path, before)
		if goes(s.Err, removed, err) {
			n++
			bytes += f.Bytes
		}
	}
	fmt.Fprintf(s.Err, "removed %s, %s\n", counted(n, "state file"), size(bytes))
	if n < int64(len(files)) {
		return errors.New("not all of them could be removed")
	}
	return nil
}
