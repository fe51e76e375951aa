// Package export sends what a job brought home elsewhere. Read [Records] first: it writes the records of one table as CSV
// or as JSON lines, streamed from one snapshot of the state file, so memory stays flat and a run that goes on is not
// disturbed. Only the declared fields are written, in the order of the job file.
//
// Every digit is kept: 64-bit ids and decimals are written as SQLite holds them, never through a float. Text is UTF-8 and
// is not escaped beyond what the format needs.
//
// [MySQL] keeps tables on a server up to date: read [MySQL.Send] first, then pass in mysql_pass.go, which reads and writes at
// the same time. Each transaction has some thousand rows and, in dogear_exports, the _seq of the last of them: the watermark.
// Moving it is the first statement and goes by its old value, so two exports never overwrite one another, and whatever ends
// one (a kill, a deadlock, a server that dies with the answer to a commit on its way), the next asks the server from where to
// go on. There is no other memory.
//
// [ToFile] writes a file whole or not at all: beside it first, synced, then renamed. What a killed export leaves beside it
// is removed by a later one, when nobody has written to it for an hour. What is exported is always rebuilt from the state
// file; nothing is ever appended to an output that was cut short.
//
// A [Checkpoint] is where a job stands, in the shapes that crawling scripts keep it in: JSON and keys in Redis.
// [RedisMirror] keeps the latter up to date during a run. In Redis everything is built under temporary keys and
// renamed in one transaction.
//
// # What scripts left
//
// [LeftJSON], [LeftRedis] and [LeftMySQL] read the checkpoint that a script kept of a job, so that the job goes on from
// there. A checkpoint has a list of what is finished, one of what failed, and current_page; each list is asked for by
// itself, with Each, as a stream. What is good in it comes as an [Entry], what is damaged as a [Damage]; both know
// their [Place]. Nothing is fatal but a source that can't be read, or that has nothing of a checkpoint in it
// ([ErrNoCheckpoint]). What an entry means to the job is not known here: that is job.Finder's, and internal/cli brings
// the two together.
package export
