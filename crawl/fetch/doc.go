// Package fetch makes one request, politely: it waits for the host's turn, asks, reads the whole answer, and tries
// again when that makes sense. Read [Client.Do] first, then call.attempt (one exchange and what follows from it)
// and classify.go (which failure is of which kind).
//
// Words. A request is what a task asks for. An attempt is one exchange for it: the request, the redirects it leads
// to, the body read to its end. A call is one Do: the attempts of one request with the waits between them. A turn is
// a host's permission to send one request, so its rate; every attempt and every hop of a redirect pays it, and what
// net/http sends again by itself (repeat.go). A page is the good answer, its text as UTF-8. A [Failure] says by its
// kind what it costs:
//
//	network, server        exponential back-off with jitter; Retry-After obeyed for server
//	timeout                linear back-off
//	throttled              the wait that the server asked for; costs no attempt
//	blocked                Options.MaxDelay: 403 from the fifth in a row, and pages that Client.Blocked is told of
//	client, robots, …      final at once
//
// Hosts. What is known of a host is shared by all calls to it:
//   - its turn (turn.go): the configured rate; below it the rate that the host bears (learned.go), which halves when it
//     throttles or refuses and rises again with good answers; and a place in its window, if it has one (window.go);
//   - how long it wants to be left alone: Retry-After, and a quota that is spent (quota.go), hold for everybody;
//   - its breaker (breaker.go, trouble.go): a run of faults (no answer at all; no connection in time) of several tasks at
//     a host that has answered before is an outage, a run of refusals at one that has given good pages is a ban. Then one
//     call at a time passes the gate (gate.go), as a probe.
//
// Whose failure it is. A fault may be the task's or the host's, and which is known only later. Until then the task owes
// it: an answer to a request that was sent afterwards shows that it was the task's, and it is counted; an outage
// forgives it. While the host is away only a probe owes. So that nothing goes on for ever, a task ends when what it was
// counted and what it owes are its attempts, and the latter are 3 at least, or 4 probes. What is owed lives in memory:
// it is no loss when the process ends, since it was never written. A second fault in a row hands the task back, so that
// another one is tried: with one worker there would never be two of them. Result.Made is what the task's attempts are
// to be changed by.
//
// Waits. Do sleeps through a back-off of at most Options.LeaseWait; a longer one is returned as Result.RetryAt, so
// that the task can be put off where it outlives the process. The wait for a host's turn is always slept through: it
// is a place in a queue, and giving it up would send every waiting task through the database again and again.
//
// Two contexts. ctx stops taking work: waits end at once and nothing new is sent, but an exchange that is under way
// goes on, and what it brings is returned. abort stops doing work: it ends the exchange too.
//
// A call waits at the gate for Options.LeaseWait at the longest, and half of the workers only; then its task goes back.
// A host's probe is cut off by ctx: its answer is of no use any more.
//
// How failsafe-go is used. Each host has one executor, shared by all goroutines: retry > gate > turn > bulkhead >
// attempt. The retry policy loops and waits, asking the call how long; the bulkhead bounds a host's exchanges. Four
// things are our own, after reading its source (v0.9.8):
//   - the deadline: its Timeout derives from the execution's context, so ctx would end a running exchange;
//   - the turn: its RateLimiter policy starts a timer even for a wait of zero and can not change its rate; the smooth
//     limiter itself is failsafe-go's, asked for reservations;
//   - the gate: its circuit breaker refuses instead of waiting, counts executions whatever task they are of, and can
//     not take back what was counted, nor choose who probes;
//   - results: after an attempt its retry executor returns the context's error instead of the result when ctx has
//     ended, so a call keeps its own result and the executor's is not looked at.
//
// robots.txt. With Options.Robots every URL, and every hop of a redirect, is held against the robots.txt of its
// origin before it is asked for (RFC 9309; robots.go has when and how long a file is believed, robotsfile.go reads
// it, robotsmatch.go compares). The first one who wants something of an origin asks for the file, at the host's rate
// and with the usual retries (robotsfetch.go); whoever comes meanwhile waits for it. What it disallows fails at once
// with kind robots; while it can't be had the tasks go back (Result.Waiting says why), for up to an hour, and lose no
// attempt. A Crawl-delay slows the host's turn down. The parser is our own because temoto/robotstxt 1.1.2, the
// library at hand, is not one of RFC 9309: it refuses a whole file for one bad line, lets a pattern with a * match
// anywhere in the path and takes its length from an escaped expression, knows no Allow over an equal Disallow,
// compares percent-encodings as they are written, takes "d" for a name of dogear, and can't say which line it was
// that decided.
//
// Cookies are net/http/cookiejar's, put into each exchange below http.Client (cookies.go). Client.Cookies gives those that
// changed to whoever keeps them for the next run, session cookies too, and Client.Recall takes them back.
//
// Codings. gzip, deflate (with zlib's header or bare), br and zstd are asked for and undone here, several in one
// header too (coding.go): net/http knows gzip only. Options.BodyLimit counts what comes out. A gzip file that no
// header calls so is unpacked for requests that say it (Request.Unzip). A coded body that ends early is a failure of
// the network, one that is not in the coding of its header is parse.
//
// Proxies take turns (proxies.go), each with connections of its own and a health: 100, 5 more for an answer, 20 less for
// a failure, used above 50, one more per second. Whose failure it was decides what it costs (callproxy.go):
//
//	the proxy's for certain       not reached, 401, 402, 407 or 429 to CONNECT, a SOCKS login or a reply above 6,
//	                              407 to a plain request: made again through another one, no attempt
//	the proxy's or the site's     another answer to CONNECT (502 is how most say that a site refuses), a SOCKS reply
//	                              from 1 to 6, a connection cut, none at the deadline: made again once, through another
//	                              one if there is one. Twice is the site's failure, and counts; once was the proxy's
//	the site's                    any answer to a plain request: a 502 of a proxy's can't be told from one of the site's
//
// A proxy that is down is tried by one request at a time. When all are, calls wait like for a long back-off: in their
// lease, then put off; none loses an attempt. [Client.ProxyEvents] says what the user should know.
//
// Who owns what. A [Client] owns the connection pool and the hosts; it is safe for many goroutines. What it learns of
// hosts it keeps in memory: [Client.Remember] and [Client.Learned] carry it from one run to the next. A call belongs to
// the goroutine that runs Do. Page.Body and Page.Header belong to the caller. Nothing here starts a goroutine that
// outlives Do, except net/http's own for pooled connections, which [Client.Close] ends.
//
// Secrets. No error text holds a URL's userinfo, a header's value, or the value of a query parameter that looks like
// a credential.
package fetch
