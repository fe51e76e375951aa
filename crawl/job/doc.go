// Package job reads job files: what to fetch, how politely, what to keep. Read Parse first; Load is Parse for a file, with
// the environment and the .env beside it.
//
// A text goes through four hands, each in files of its own:
//
//	text.go             is it text at all? Byte order mark, line ends, encoding, size
//	yaml.go, tree.go    goccy/go-yaml makes its tree of it, and we ours: aliases followed, ${NAME} filled in (fill.go).
//	                    depth.go keeps hostile texts from the library; trap.go turns its errors into hints
//	load.go and others  the loader walks our tree: settings.go, pages.go, records.go, each.go, field.go, source.go,
//	                    follow.go, carry.go, next.go, starts.go, from.go, sitemap.go, body.go. keys.go has the keys of every
//	                    map
//	job.go, page.go     the Job that comes out: every selector in it compiles and every name leads somewhere
//
// # Words
//
// A node is a value of our tree, with its line and column. Only its raw text, as it stands in the file, goes into a message;
// its text has ${NAME} filled in and may be a secret. Filling in happens in scalars, when YAML's structure is settled, so that
// no value can change what the file means; fill.go also masks ${…} from YAML, so that it may stand anywhere.
//
// A problem is a message with the line and column of the key or value at fault. The loader does not stop at one: whoever meets
// a problem reports it and goes on, and Error has them all, in file order. A node of kind broken was reported already. What
// is missing after a misspelt key was reported is no problem of its own (report.quietSince).
//
// A start yields requests. It is a template (template.go): a URL with braces and {NAME} parameters. What varies in it are
// dimensions, and each is a series (series.go, words.go, product.go): a range, words, one after the other, a product. A series
// computes its i-th text, so a range of a billion costs what a range of one costs. order: shuffle puts a permutation in
// between (shuffle.go), which is computed as well. A start's Entry is its identity across edits of the file.
//
// A start with from: is read instead: it has a List (list.go), and its requests are those of the lines of a file or
// of the standard input. A line is a URL, or what is put into one; the records of a CSV have columns, and what is
// read is told in the file's own lines. A ListReader (listreader.go) reads one after the other in memory that does
// not grow: lines.go counts and hashes what was taken, listrecords.go tells lines and records of a CSV, listbind.go
// finds the columns that a start needs in the header. A ListFile (listfile.go) goes on where a run left it, by the
// bytes that were read and their hash, never by a number of lines: when what stands before the place is another text,
// it begins anew. The job file is parsed without looking into any list; CheckLists looks, and tells what is missing
// where the job file asks for it.
//
// What a column brings into a URL is percent-encoded where it would end its part of it: behind a = in the query as
// one value, in the path but for its slashes, with escapes that are there already left alone; at the beginning of the
// URL it stands as it is. Columns that meta: param.NAME asks for go along as schema.Request.Carry.
//
// A start with sitemap: yields the sitemap alone, as a page of a kind that every job has without naming it (Sitemap).
// Its rules make tasks of its entries, so that all that holds for links holds for them.
//
// A Finder (finder.go) goes the other way: from a URL or a number that another program wrote to the request that it
// means. To it the URLs of a list are like those of links: it does not read the list.
//
// # What requests bring along
//
// request: {json: …} and {form: …} are written once (body.go) and put into the templates of the starts (bind.go): a body is
// more pieces over the same dimensions, so {page} may stand in the URL, in the body or in both. A value of JSON that is
// exactly "{page}" becomes a number when the values of page are whole numbers: a range without zeros in front, or numbers
// without quotes. Keys keep their order and numbers their digits. Other braces, such as those of GraphQL, are text. The
// method is POST when there is a body. Links are GETs: method and body belong to starts. ${NAME} stays as written in a
// body (encoding.go), and Job.FillBody puts its value in; a ${NAME} in the value of a parameter of a body is refused.
//
// # What pages hand on
//
// A follow may carry texts to the page that its link leads to (carry.go), and a field there asks for one with meta:
// carry.NAME, as it does for a parameter of its start with meta: param.NAME. Both are checked in one place
// (loader.givenNames): a name that no start has, or that no follow to this kind of page carries, is a problem. Those names
// are gathered before any rule is read, because a page may stand above the one that leads to it.
//
// next is a link to the same kind of page; with url it is a template of one hole, {value} (next.go). Its ${NAME} are filled
// in at load, as those of the path of a start are; where a URL carries secrets Job.Hide knows them.
//
// # Who owns what
//
// A Job is only read once Parse has returned it, so any number of goroutines may share it. A ListReader and a
// ListFile belong to one goroutine, which closes the file. Nothing here writes to a file, starts a goroutine or looks
// at the clock. Job.Text and Start.Entry hold no secret and may be stored. Nor do the URLs that a Start makes: where
// URLs carry secrets (userinfo, query, fragment: place.go) ${NAME} stays as written (keep.go), is no part of what the
// start is, and Job.Fill puts its value in when the request is made; Job.Hide takes it out of what comes back
// (secret.go). Job.Headers, and the scheme, host and path of a URL, hold whatever ${NAME} brought in.
//
// A page that is kept may show any secret that its request had, also one of a header. HidePage takes them out of it,
// and FillPage puts them in again when it is read by other rules (kept.go), so that it gives the same records and
// links.
//
// job.schema.json (JSONSchema) says the same as keys.go to editors; a test holds the two together.
package job
