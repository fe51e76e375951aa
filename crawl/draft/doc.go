// Package draft looks at one page and writes a first job file for it, for a person to go on with. Read Write first. It
// asks for nothing over the network and keeps nothing: a page in, the text of a job file out.
//
// # The way of a page
//
//	draft.go    HTML or JSON? as package extract will take it, so that the job reads the page that was looked at
//	outline.go  what the job file will say, before it is text
//	layout.go   the text: lines with their comments, within 100 columns
//	quote.go    whatever comes from the page becomes a YAML scalar or a comment that can't be anything else
//
// # HTML
//
//	document.go the page as a tree; selectors, texts and links as package extract finds them
//	group.go    groups of elements that look alike, the candidates for each
//	score.go    which group is the list that the page is about
//	part.go     what varies between the elements of a group: texts, links, images
//	spare.go    what of that only says again what something else says better
//	table.go    the same for the rows of a table, whose cells have no names but those of the head
//	selector.go selectors that match a group, or one part of each element, and nothing else: each is tried first
//	field.go    the parts as fields
//	single.go   a page without repeats is one record
//	next.go     the link to the next page
//
// # JSON
//
//	json.go     the document as a tree, members in their order, numbers as written
//	list.go     which array is the list that the page is about
//	member.go   the members of its objects as fields
//	cursor.go   what names the next page
//
// # Both
//
//	number.go   the number in a URL that counts pages, or ids
//	types.go    the type of a field from all its examples: package schema must be able to read each of them as that
//	names.go    column names, and which classes look like somebody's words rather than a program's
//
// # What is promised
//
// A draft loads. Its rules match the page that it was made from. Everything else is a guess, and made to be a safe one:
// a field is text unless all examples are something else, and a range has an end only when the page shows where it is.
package draft
