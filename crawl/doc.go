// Package crawl is the engine: claim, fetch, extract, commit, until nothing is left. Read [Run] first.
//
// # One task's way
//
//	committer: state.Run.Commit claims a group --queue--> worker: fetch.Client.Do   (waits for its host's turn, retries)
//	    ^                                                    |    extract.Rules.Extract (records, rejects, links)
//	    +---------- outcomes <-------------------------------+
//
// # Who owns what
//
// ONE goroutine, the committer, owns the state file: it alone fills the queue and closes it at the end, and is the
// only receiver of outcomes. Workers never touch the database and keep nothing between two tasks. What a worker hands
// over is committed with everything else that came within 50 ms, or 512 outcomes, whichever is first; sooner when
// workers would stand idle for it.
//
// # Starts that are read
//
// A file is read by the committer, a few thousand lines with a commit (lists.go), and how far it got is in the same
// transaction as their tasks. A goroutine reads the standard input (stdin.go): it owns the channel to the committer,
// which never waits on it, and closes it at the end; until then the crawl is not over. What can't be read any more ends
// the run with an error, and what is committed stays. A sitemap is a task (sitemaps.go).
//
// # How many at a time
//
// A concurrency that is a number has as many workers. One that is a range, or auto, begins with the least and follows
// the answers (window.go, by what fetch.Load measures): it grows while they are good, as quick as before, and fill
// the limit; it falls when exchanges fail (network, timeout, server, throttled; a 404 is an answer) or take longer.
// Waiting for a turn is no load, so a job with a rate does not get more workers that only wait, unless there are
// hosts without any. While several hosts are in play, none has more than three quarters of the workers (queue.go).
// Where too few files may be open the concurrency is lowered (files.go), and an exchange that there were no files for
// costs its task nothing.
//
// # Two contexts
//
// ctx stops taking work: nothing more is claimed, waits end, requests in flight finish. When the grace is over, or
// abort is cancelled, those end too. What is finished by then is committed in either case; the rest goes back to
// pending.
//
// # A changed job file
//
// [job.Job.Meaning] of the text that the state file keeps is compared with that of the job, in the first transaction
// of the run (changed.go): what would make the stored records mean something else is a *ChangedError, unless
// Options.Accept.
//
// # Kept pages
//
// Of a kind with keep: body the page goes with the outcome of its task (kept.go): as the rules saw it, in UTF-8,
// compressed by the worker, and without the secrets that it was asked with (job.Job.HidePage). [ReadAgain] runs the
// rules of now over all that are kept, without a request (reread.go): workers take a batch of them apart while the one
// before is written.
//
// # Hosts
//
// What package fetch learns of a host (its rate now, until when to leave it alone) is kept with a commit every 2 s and
// told to the next run; that a host is away, or back, is said once. More failures than limits.failures, a share of the
// last 500 finished tasks, end the run as state.Stopped; it takes 50 of them at the least (failing.go).
//
// # What a task carries
//
// What its list or its page says about a task is kept with it, and is of the last time that one was read: when it is
// fetched again, when a list has changed, and when kept pages are read again (state.Run.given). A task that this run
// fetched with what was said before is fetched once more, so that its records are of one piece; those of earlier runs
// get it with their next refresh.
//
// # Fields that are never filled
//
// A field that no page has filled in the first 100 pages, by the counts in the state file, is most likely looked for in
// the wrong place: the run says so once (unfilled.go). Of a smaller crawl its summary does.
//
// # Limits of a walk
//
// Links beyond limits.tasks are left out by package state, those of pages at limits.depth by the worker. Neither is an
// error; Summary.Dropped and Summary.Deep say so, because a walk without an end, a trap, ends by them as well. A page
// that a next leads to has what its page before was given (schema.Request.Carry), parameters of the start included.
//
// # The end
//
// A crawl has ended when nothing is pending, in flight, put off or ahead in a start: one read of the state file, made
// after the last outcome has landed.
package crawl
