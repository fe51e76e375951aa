// Command dogear is a resumable crawler: one binary, one SQLite file per job.
package main

import (
	"os"

	"dogear/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
