// Package logs keeps the log of a job: a file a day in a folder, as JSON lines, by log/slog. Read [Open] first.
//
// # Files
//
//	products-2026-11-30.log         what the job did that day (local time), 30 days
//	products-errors-2026-11-30.log  its errors alone, 90 days
//	products-2026-11-29.log.gz      older days are compressed
//
// Several processes may write to the same files: a line is one write to a file that is only ever appended to.
//
// # What never happens
//
// A log that can't be written never stops who writes it: lines are lost then, which is told once, until it works again.
// Nothing else is dropped: when the disk is slower than the lines come, [Log.Handler] waits.
//
// # Who owns what
//
// ONE goroutine owns the files of today: it takes lines from a channel, which Close ends. Another, while there is
// anything to do, compresses and removes the files of other days; Close ends it too, and what it had not got to is done
// the next time.
package logs
