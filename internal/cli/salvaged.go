package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"dogear/state"
)

// teller tells what was done about a state file that is not as the last run left it, also with --quiet.
func teller(s Streams, job, statePath string) func(*state.Salvage) {
	return func(done *state.Salvage) {
		var b strings.Builder
		file := filepath.Base(statePath)
		switch {
		case done.Replaced:
			fmt.Fprintf(&b, "%s: %s was damaged (%s) and is set aside as %s.\n", job, file, visible(done.Why), done.Aside)
			fmt.Fprintf(&b, "  Before it was salvaged another file was put in its place: the run goes on with that one.\n")
		case done.WAL:
			fmt.Fprintf(&b, "%s: %s: %s\n  It is set aside as %s, and the run goes on with the file alone.\n", job, file,
				visible(done.Why), done.Aside)
		case done.Aside == "":
			fmt.Fprintf(&b, "%s: %s: %s.\n", job, file, visible(done.Why))
		default:
			writeSalvage(&b, job, file, done)
		}
		if done.Missing > 0 {
			fmt.Fprintf(&b, "  What was committed in about the last %s before that run ended is lost, and fetched again.\n",
				about(done.Missing))
		}
		fmt.Fprint(s.Err, b.String())
	}
}

func writeSalvage(b *strings.Builder, job, file string, done *state.Salvage) {
	fmt.Fprintf(b, "%s: %s is damaged: %s\n", job, file, visible(done.Why))
	fmt.Fprintf(b, "  It is set aside, as it was, as %s.\n", done.Aside)
	fmt.Fprintf(b, "  saved in a new %s: %s (%s done, %s failed, %s to fetch) and %s\n", file, counted(done.Tasks, "task"),
		count(done.Done), count(done.Failed), count(done.Tasks-done.Done-done.Failed), counted(done.Records, "record"))
	fmt.Fprintf(b, "  not saved: %s and %s that can't be read, %s that could not be kept\n",
		counted(int64(done.Pages), "page"), counted(int64(done.Cells), "row"), counted(done.Dropped, "row"))
	if done.Again > 0 {
		fmt.Fprintf(b, "  fetched again: %s that had been done, since what they brought may be among what is lost\n",
			counted(done.Again, "task"))
	}
}

// about is a time to the second, and at least one.
func about(d time.Duration) time.Duration { return max(d.Round(time.Second), time.Second) }
