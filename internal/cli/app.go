package cli

import (
	"io"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"dogear/state"
)

// Version is dogear's own.
const Version = "0.1.0"

// Streams are where a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs the command line args (with the program's name first) and returns the exit code.
func Main(args []string, s Streams) int {
	app := newApp(s)
	return exitCode(app.Run(flagsFirst(app, args)), s.Err)
}

func newApp(s Streams) *cli.App {
	return &cli.App{
		Name: "dogear", Version: version(), Writer: s.Out, ErrWriter: s.Err, Reader: s.In,
		Usage: "a resumable crawler: one binary, one SQLite file per job",
		UsageText: "dogear demo             see it work: a practice site and two jobs, no network needed\n" +
			"dogear init URL         write a first job file from one page\n" +
			"dogear try JOB.yaml     fetch one page and show what the job makes of it\n" +
			"dogear run JOB.yaml     start, or carry on after whatever ended the last run",
		Description: "A task's state, its records, its links and the counters are committed in one transaction: kill it anywhere,\n" +
			"run the same command again, and it carries on.\n\n" + exitHelp,
		HideHelpCommand: true, DisableSliceFlagSeparator: true, // a comma is part of a path or a password
		Commands: []*cli.Command{
			newInit(s), newTry(s), newRun(s), newStatus(s), newFailures(s), newRetry(s), newRefresh(s), newExtract(s), newVerify(s),
			newExport(s), newImport(s), newReset(s), newClean(s), newSchema(s), newDemo(s),
		},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usagef("%v; see dogear --help", err) },
		ExitErrHandler: func(*cli.Context, error) {}, // cli would exit inside Run
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("there is no command %q; see dogear --help", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
}

// command fills in what all commands share. A damage that one of them finds is for the next run to know.
func command(c *cli.Command) *cli.Command {
	c.OnUsageError = func(ctx *cli.Context, err error, _ bool) error {
		return usagef("%v; see dogear %s --help", err, ctx.Command.FullName())
	}
	action := c.Action
	c.Action = func(ctx *cli.Context) error {
		err := action(ctx)
		if state.IsDamage(err) && ctx.Args().Len() == 1 {
			state.Report(locate(ctx.Args().First(), ctx.String("state")).statePath, err)
		}
		return err
	}
	return c
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version
	}
	return Version + " (" + info.GoVersion + ")"
}

// flagsFirst moves the flags of the command before its arguments: the library stops looking for flags at the first
// argument. What follows "--" stays.
func flagsFirst(app *cli.App, args []string) []string {
	flags, at := descend(app.Commands, args)
	if at == len(args) {
		return args
	}
	out, rest := append([]string(nil), args[:at]...), []string(nil)
	for i := at; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		out = append(out, arg)
		if takesValue(flags, arg) && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return append(out, rest...)
}

// descend follows the names of commands at the beginning of args: the flags of the last one, and where its arguments begin.
func descend(commands []*cli.Command, args []string) ([]cli.Flag, int) {
	at := 1
	var flags []cli.Flag
	for at < len(args) {
		found := false
		for _, c := range commands {
			if c.HasName(args[at]) {
				commands, flags, found = c.Subcommands, c.Flags, true
				break
			}
		}
		if !found {
			break
		}
		at++
	}
	if flags == nil {
		return nil, len(args)
	}
	return flags, at
}

// takesValue reports whether the flag is one whose value is the next argument.
func takesValue(flags []cli.Flag, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name {
				_, isBool := f.(*cli.BoolFlag)
				return !isBool
			}
		}
	}
	return false // also for --name=value
}
