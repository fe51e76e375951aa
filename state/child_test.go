package state_test

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"dogear/schema"
	"dogear/state"
)

// playRole is what a child process does. It never closes its run: it is there to be killed.
func playRole(role, path string) int {
	var err error
	switch role {
	case "hold":
		err = holdTasks(path)
	case "crawl":
		err = crawlOn(path)
	case "read":
		err = readOn(path)
	case "salvage":
		err = salvageShelf(path)
	case "unprivileged":
		err = openUnprivileged(path)
	default:
		err = fmt.Errorf("no role %q", role)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", role, err)
		return 1
	}
	return 0
}

// heldTasks are the tasks of a child in the role "hold": of twelve, ten were claimed; three of these are done, one failed,
// two were put off after three attempts and claimed again.
const heldTasks = 12

func holdTasks(path string) error {
	ctx := context.Background()
	run, err := state.OpenRun(ctx, state.RunOptions{
		Path: path, Name: "held", Text: []byte("name: held"), Starts: []state.Start{productStart(heldTasks)}, Version: "test",
	}, epoch)
	if err != nil {
		return err
	}
	tasks, err := run.Commit(ctx, epoch, nil, 10)
	if err != nil {
		return err
	}
	_, err = run.Commit(ctx, epoch, []state.Outcome{
		done(tasks[0]), done(tasks[1]), done(tasks[2]), failed(tasks[3], "client", 404),
		{Task: tasks[4], State: state.Pending, Attempts: 3}, {Task: tasks[5], State: state.Pending, Attempts: 3},
	}, 2)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	untilKilled()
	runtime.KeepAlive(run) // or the collector would close the lock file
	return nil
}

// crawledTasks is how many tasks the job of the role "crawl" has.
const crawledTasks = 1000

// crawlOn works through a range, eight tasks a commit, and prints what each commit covered only after it returned.
func crawlOn(path string) error {
	ctx := context.Background()
	table, err := compiledProducts()
	if err != nil {
		return err
	}
	run, err := state.OpenRun(ctx, crawlOptions(path, table), epoch)
	if err != nil {
		return err
	}
	for {
		if _, err := commitProducts(ctx, run, table, 8); err != nil {
			return err
		}
		fmt.Println(run.Counts().Done)
		if run.Counts().Left() == 0 {
			untilKilled()
		}
	}
}

func crawlOptions(path string, table *schema.Table) state.RunOptions {
	return state.RunOptions{
		Path: path, Name: "crawl", Text: []byte("name: crawl"), Tables: []*schema.Table{table},
		Starts: []state.Start{productStart(crawledTasks)}, Version: "test",
	}
}

// commitProducts claims n tasks and lands them as done with a product each, in two commits.
func commitProducts(ctx context.Context, run *state.Run, table *schema.Table, n int) (landed int, err error) {
	tasks, err := run.Commit(ctx, epoch, nil, n)
	if err != nil {
		return 0, err
	}
	var group []state.Outcome
	for _, t := range tasks {
		group = append(group, doneWithProduct(t, table, epoch))
	}
	_, err = run.Commit(ctx, epoch, group, 0)
	return len(group), err
}
