// Package cli is the command line: one file per command, each with its flags, one call into the rooms below, and what is
// printed. Read [Main] first.
//
// stdout is for results, stderr for people. Nothing but a result is ever written to stdout, so every command can stand in a
// pipe. Exit codes are in exit.go, and only there. A flag may stand before or after the JOB.
//
// JOB is a job file or its state file: products.yaml and products.db name the same job.
package cli
