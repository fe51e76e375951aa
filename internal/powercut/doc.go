// Package powercut proves the guarantee where a killed process can't: with the power gone, only what was synced is on
// the disk. It is all tests; nothing imports it. Read TestEveryPowerCutLeavesACommit in powercut_linux_test.go first.
//
// # How
//
// The real dogear works on a job under strace, which writes down every system call on the state file, its WAL, its
// rollback journal and their folder, with the bytes: one run that is killed early, most often between writing a
// commit and syncing it, one that stops at --limit (and so checkpoints and removes the WAL), and one to the end. From
// that history the files are built as a disk may hold them after a power cut at some moment, dogear's guarantee is
// checked on them, and for some the same command is run again to its end.
//
// # The disk
//
// It honours fsync and is hostile beyond that. Of a file is there what was written before its last sync began; of
// everything since, on its own: all, nothing, a prefix, any subset, all but one, a write torn at any byte or with any
// of its 512-byte sectors, or only the size, with zeros or junk for content. The same goes for truncations. A name is
// made or removed for certain when the folder was synced after it; until then either may be. Files are independent of
// each other. What SQLite relies on beside fsync is that a torn write changes nothing but the bytes that it writes
// (its "powersafe overwrite"), which this disk keeps, too. The -shm file is shared memory and never restored.
//
// # What must hold
//
// The floor of a cut is the last completed sync of the WAL before it: all that was written by then is read with
// SQLite, each row of each table. What is rebuilt must equal the floor or a commit written after it, row by row, with
// a clean integrity_check, counters that equal the rows, and no outcome without its records, links and attempts. That
// the floor is what was promised does not rest on dogear's word: each commit frame in the WAL must be followed by a
// sync before anything else is written there. A run to the end must leave the rows of an uninterrupted run, with its
// exit code, and ask the site for nothing that the floor has.
//
// # Flags
//
//	-powercut.cuts 24        files rebuilt and checked; fewer under the race detector
//	-powercut.runs 3         of them run to the end
//	-powercut.products 8000  products in the job; 8,000 fill the WAL once, 16,000 twice or more
//	-powercut.seed 0         of the moments and of what survives; 0: from the clock, and printed
//
// `just powercut` is the long form.
package powercut
