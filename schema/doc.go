// Package schema is the ground floor: what is kept, in which form, and under which name. It opens no file and speaks to
// no database; it says what the values and the statements are, and the rooms above use them.
//
// Start with Table.Clean. It turns what a page said about one record into a row of typed values, or into a reject that
// says which field was wrong and keeps the raw texts.
//
// # Words
//
// A Table is one record table of a job, a Field one column of it, with its Type and the rules of its cleaning. Raw is
// the text that a page had for a field. A Row is a cleaned record, a Reject one that failed. A Request is one request
// to make, and its Key the identity of the task that makes it.
//
// # Cleaning
//
// The order is fixed: match, remove, trim, parse as the type, min and max, in. What is empty or unreadable becomes the
// field's default, or else NULL; a required field, or one of the key, rejects the record instead. What can be read in
// two ways always rejects it, default or not: "1,234" is a thousand here and one and a bit there, 04/02/2026 is in
// April here and in February there, and a wrong number in a table is worse than a missing row, for nobody sees it.
// Numbers keep every digit: none but those of type real ever is a float.
//
//	clean.go     the order above
//	parse.go     one text, one type; number.go, decimal.go, moment.go for those with more to them
//	amount.go    numbers as people write them: currencies, full-width digits, 万; grouping.go: . and , and spaces
//	date.go      dates in their notations; clock.go the time of day and the zone
//	layout.go    dates in the one notation that the job names; layoutcheck.go those
//	             that can't be; strptime.go the notation with %
//	probe.go     lets the regexps of clean texts rest
//	reject.go    why a record was refused, for people
//
// Clean runs once for every record of a crawl, so the plain case is kept cheap: a number that is already in its final
// form is the page's own text, and the big-decimal library is called only to round or for more than 18 digits.
//
// # URLs
//
// Two things are done to URLs and they are kept apart. Resolve makes a link into the URL to fetch, as a browser would
// (the URL Standard). Request.Key normalises one for comparing only: nobody ever fetches a key. plainurl.go knows the
// URLs that need neither, which is most of them.
//
// # Tables in SQL
//
// sql.go writes the statements for record tables in the state file, which the state runs. migrations.go and state/
// hold the state file's own tables. names.go keeps the two apart. mysql.go writes the statements for an export to a
// server, and says how its tables look and why; mysql_fit.go what a table that is there must be able to hold.
//
// # Who owns what
//
// The job file's reader fills a Table and compiles it once; from then on it is only read, by any number of goroutines.
// A Row belongs to whoever got it from Clean; its strings may be parts of the page's text.
package schema
