// Package state keeps a job in one SQLite file. Only it speaks SQLite. Read [Run.Commit] first: it is the guarantee.
//
// # The guarantee
//
// A task's new state, its records, the links found on its page, its failed attempts and the counters land in ONE
// transaction with synchronous=FULL. After any end of the process the file is whole: what a commit covered is there,
// once; what none covered never happened. There is no repair step.
//
// # Damage
//
// What no end of a process does, disks and people do: a file that is cut, overwritten, or without its -wal. [OpenRun]
// looks for it before SQLite may write, with what the last run left in the lock file (marker.go), checks the whole of
// a small file (damage_check.go), sets a damaged one aside (aside.go), and makes a new one of what can be read of its
// pages (salvage.go; the reader of pages is state/btree). Nothing is overwritten, a kill at any point is gone on from,
// and what had been done is asked for again only where what it brought may be lost. A reader changes nothing and
// returns a [DamagedError].
//
// # Words
//
// A task is a row of tasks: one request to make. Its state is pending, in-flight, done or failed:
//
//	pending ---Claim---> in-flight ---Outcome---> done | failed
//	   ^                     |
//	   +--- put off, released, or its run died
//
// A run is one process working on the file. An [Outcome] is what a task's attempts came to. A start yields requests and
// is kept as a cursor: the tasks of a range are added a few thousand at a time, never more than [MaxPending] ahead.
//
// # Who owns what
//
// [OpenRun] takes an exclusive lock on FILE.lock (a separate file, released by the kernel with the process), writes
// the row in runs, and puts the tasks that dead runs left in flight back to pending: O(in flight), whatever the size
// of the file. A [Run] holds the one write connection and is used by ONE goroutine, the committer of package crawl:
// none of its methods may be called by two at once. It closes the Sources that RunOptions opened for it. A [Store] is
// for reading, by any number of goroutines and processes: with WAL neither side waits for the other.
//
// # The WAL
//
// A read that does not end keeps SQLite from beginning the [WAL] anew, so it grows with every commit; no writer can help
// that, so the run and `status` say who reads. Readers that overlap for ever would do the same though each is short: for
// them a run waits a moment with the write lock held, see keepWAL.
//
// # Mirrors
//
// A [Mirror] is told which tasks finish: a row of mirror_changes for each, in the transaction that finishes it. Who
// keeps the copy reads them through a Store and reports how far it is; the committer writes that down with its next
// commit, and drops what all mirrors have. What nobody fetches stays on the disk, not in memory. Without a mirror
// nothing is written.
//
// # Fields
//
// What becomes of each field of the records that are read (field_counts) is counted in memory and written with the
// commit that lands the records: filled + defaulted + empty of a field are the records of its table that were read
// since there is the field, those that were rejected aside. A record that is read again counts again; so does, after a
// salvage, one whose page is fetched again. Counts of a damaged file that can't be read begin anew, and so do those of
// a table when kept pages that have all of its records are read by other rules.
//
// # Kept pages
//
// A page that is kept ([Body]) lands with the outcome that it brought, in the same file and transaction, and is
// replaced with it. [Run.Reread] puts what other rules make of the kept pages into the place of what they brought: read
// [Rereader]. [OpenDry] has it done to copies of the tables, with the file open for reading only.
//
// # Time
//
// Times come in as parameters and are stored as INTEGER Unix milliseconds UTC. A transaction has one now.
package state
