// Package cli is the command line: one file per command, each with its flags, one call into the rooms below, and what is
// printed. Read [Main] first.
//
// stdout is for results, stderr for people. Nothing but a result is ever written to stdout, so every command can stand in a
// pipe. Exit codes are in exit.go, and only there. A flag may stand before or after the JOB.
//
// A run tells how it goes to people on stderr, to a program on stdout with --json, and to a log with --log-dir: telling.go
// is where all of that comes together. What a site wrote goes through visible before a terminal gets it.
//
// JOB is a job file or its state file: products.yaml and products.db name the same job.
package cli
