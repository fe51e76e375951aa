package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
	"dogear/state"
)

// stateFlag is on every command that works on a state file.
func stateFlag() cli.Flag {
	return &cli.StringFlag{Name: "state", Usage: "the state `FILE` (default: the job file's name with .db, beside it)"}
}

// target is what JOB on a command line means.
type target struct {
	jobPath   string // "" when only a state file was given and no job file is beside it
	statePath string
	elsewhere bool // --state was given, so every hint must give it too
}

// find reads the one JOB argument and --state.
func find(c *cli.Context) (target, error) {
	if c.Args().Len() == 0 {
		return target{}, usagef("which job? dogear %s JOB.yaml", c.Command.FullName())
	}
	if c.Args().Len() > 1 {
		return target{}, usagef("one job at a time, not %q; see dogear %s --help", c.Args().Slice(), c.Command.FullName())
	}
	return locate(c.Args().First(), c.String("state")), nil
}

func locate(arg, statePath string) target {
	stem := strings.TrimSuffix(arg, filepath.Ext(arg))
	t := target{jobPath: arg, statePath: stem + ".db"}
	if strings.EqualFold(filepath.Ext(arg), ".db") {
		t = target{statePath: arg}
		for _, ext := range []string{".yaml", ".yml"} {
			if _, err := os.Stat(stem + ext); err == nil {
				t.jobPath = stem + ext
				break
			}
		}
	}
	if statePath != "" {
		t.statePath, t.elsewhere = statePath, true
	}
	return t
}

// load reads the job file; without one, the job as the state file keeps it.
func (t target) load(ctx context.Context) (*job.Job, error) {
	if t.jobPath != "" {
		j, err := job.Load(t.jobPath)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("there is no job file %s", t.jobPath)
		}
		return j, err
	}
	kept, err := t.kept(ctx)
	if err != nil {
		return nil, err
	}
	j, err := job.Parse(t.statePath, []byte(kept.Text), os.LookupEnv)
	if err != nil {
		return nil, err
	}
	j.Name = kept.Name
	return j, nil
}

// kept is the job as the state file keeps it, damaged or not.
func (t target) kept(ctx context.Context) (state.JobInfo, error) {
	s, err := state.Open(ctx, t.statePath)
	if err != nil {
		return state.SalvageJob(t.statePath, err)
	}
	defer s.Close()
	kept, err := s.Job(ctx)
	if err != nil {
		return state.SalvageJob(t.statePath, err)
	}
	return kept, nil
}

// open opens the state file for reading.
func (t target) open(ctx context.Context) (*state.Store, error) { return state.Open(ctx, t.statePath) }

// shown is how the user would name the job in a command.
func shown(t target) string {
	if t.jobPath == "" {
		return quoted(t.statePath)
	}
	if t.elsewhere {
		return quoted(t.jobPath) + " --state " + quoted(t.statePath)
	}
	return quoted(t.jobPath)
}

// quoted is a path as it can be pasted into a shell.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t'\"$&;()<>|*?`\\") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// piped is what is to be read, when somebody pipes something in; nil on a terminal.
func piped(in io.Reader) io.Reader {
	f, ok := in.(*os.File)
	if ok && (f == nil || isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())) {
		return nil
	}
	return in
}
