// Package practice is a web site to practise on: deterministic pages on
// 127.0.0.1, with faults that are switched on and off and counters that tell
// what was asked for. `dogear demo`, the tests and the benchmarks use this one
// handler. Start with Start, and Site.ServeHTTP for what happens to a request.
//
// # Pages
//
//	/v1/product/{id}       about 300 bytes of JSON; ids 1..Options.Products. ProductAt says what is in it
//	/list?page=N, /page/N  a listing of 10 items, about 12 KB of HTML; 1..Options.Pages, a.next on all but the last
//	/detail/{id}           one of the items: h1, .price, .score, links to its listing and two neighbours
//	/charset/{name}/{how}  a page in one of Charsets, TextOf says what is on it; the charset is declared
//	                       how = meta | header | both | none | meta-lies | header-lies (the truth in the other place)
//	/v1/events?after=C     20 of Options.Events as JSON: {"items": […], "next": C}, null at the end. EventAt says what
//	                       an item is; C is opaque, full of + / = (EventCursor), and wrong or empty it brings 400
//	/v1/feed?after=C       the same, but next is the whole relative URL: FeedPath
//	/v1/endless?after=N    the same events without an end: next is N+1, a number, always
//	/v1/lookup             POST {"id": "7"} (application/json; the id is text) or form id=7: product 7; GET: 405.
//	                       Counters and faults go by the path, so it is one to them, whatever the id
//	/sitemap.xml           the index of Sitemaps sitemaps (SitemapPath), which have each /detail/{id} once (SitemapOf),
//	                       most with a lastmod (LastModified). The second is a gzip file; the last also has an entry
//	                       with an empty loc and one of another host
//	/gbk/list?page=N       a listing of 10 in bytes of GBK and GB18030; only a meta element names a charset: gb2312.
//	                       Prices and dates as people write them, links in Chinese: GBKItemAt says what is on it
//	/gbk/item/{id}         one of those: h1, .price, .date, .category, .text. Also with ?cat= and the category in GBK,
//	                       and as /gbk/item/{category}/{id} in UTF-8; a category in other bytes brings 404
//	/shop/list?page=N      10 of .item, each with a.name, and a .category and a .list-price that stand only here
//	/shop/item/{id}        script#state with JSON, window.__STATE__, .description with HTML in it, several .tag, .price
//	                       whose own text is the price, data-sku. ShopItemAt says what is in them and on the listing
//	/shop/orders?page=N    5 of .order, each with .line elements of its own: OrderAt
//	/, /robots.txt         links to all of these; everything is allowed, unless Options.Robots says otherwise
//
// What a page says depends on its id or number alone: no time, no chance, no
// process. So a test computes what a crawl must have brought home.
//
// # Faults
//
// A Fault is a path, exact or with *, and a script: the answers to the first
// requests of each path that matches, in order, separated by commas; then the
// path is healthy. *N after an answer gives it N times, * alone for ever. Every
// keeps a fault to a share of the ids: {Path: "/v1/product/*", Script: "500",
// Every: 10} fails each tenth product once.
//
//	answer          on the wire
//	ok              the page, as if there were no fault
//	404, 500, …     that status with a line of text
//	429:2, 503:@2   the same with Retry-After: as given, or (@) as the date in 2 seconds
//	redirect:/path  302 with that Location; 301:/path, 308:/path, … for others
//	captcha         200 with a page that has form#captcha and nothing else
//	slow:50ms       50 ms of silence, then the page
//	drip:50ms       the headers, then the body in 20 pieces, 50 ms before each
//	stall, stall:2s the headers with the page's Content-Length, then nothing, until the client goes or the time is over (Options.Stall)
//	cut             the first half of the page in chunked encoding, no last chunk, then FIN
//	short           the whole page under a Content-Length of 100 more, then FIN
//	reset           nothing at all, then RST
//	garbage         bytes that are not HTTP, then FIN
//	big:20000000    200 with that many bytes of HTML in chunked encoding
//
// SetDown takes the whole site down: every connection is accepted and reset
// when it asks for something. SetDelay makes every answer take its time, and
// SetCapacity makes it take longer, or brings 503, when more requests than that
// are in flight. Note
// that net/http's client sends a GET again by itself when a connection that it
// had used before is reset without an answer: script reset*2 to be noticed on
// one, and expect Stats.Refused to be more than what a crawler counts.
//
// # Counters
//
// Every request that reaches the handler is counted by its path (with query),
// with the times of the first and the last one: Site.Asked, Counts, Tallies.
// The whole site has totals, requests in flight and how many at most, and
// arrivals per second of the site's clock: Site.Stats. They are exact at any
// rate. Options.Quiet leaves the paths out. A request that a down site resets
// counts as refused and as nothing else; control requests do not count.
//
// # Another process
//
// StartProcess runs the site in a process of its own, on a core of its own if
// asked to, so that a benchmark does not measure it and a crash test can count
// across the crashes of the crawler. The program must call ChildMain first. The
// process ends when its standard input does, so it never outlives its parent.
// Remote (part of Process) drives any site over HTTP:
//
//	GET    /_practice/counts   {"/page/1": 2, …}
//	GET    /_practice/tallies  {"/page/1": {"count": 2, "first": "…", "last": "…"}, …}
//	GET    /_practice/stats    Stats
//	POST   /_practice/reset    all counts to zero
//	POST   /_practice/fault    {"path": "/page/*", "script": "500,ok", "every": 10}; an empty script takes it back
//	DELETE /_practice/fault    takes all faults back
//	POST   /_practice/site     {"delay": "2ms", "capacity": "200:503", "down": true}; what is absent stays
//
// # What owns what
//
// A Site owns its counters and faults and starts no goroutine. A Server owns
// the listener, one goroutine that accepts, and the connections; Close returns
// when all have ended. A Process owns the other process; Close ends it.
//
// The package imports nothing of ours: a fault of the crawler's own code can't
// make the site agree with it.
package practice
