// Package btree reads the rows of a SQLite file however damaged, from its pages, without SQLite. Read [File.Walk]
// first.
//
// The salvage of a damaged state file stands on it. The format is https://sqlite.org/fileformat2.html, cited by
// section.
//
// # Words
//
// A page is what the file is made of, numbered from 1. A table is a b-tree of pages: interior pages point to children,
// leaves hold cells, a cell is one row. What of a row does not fit its leaf stands in a chain of overflow pages. The
// write-ahead log holds newer versions of pages: those up to its last commit lie over the file's.
//
// # How to salvage
//
// Ask [File.Tables], [File.Walk] the root of each, and take from [File.Orphans] last what no walk has come to: the rows
// below a destroyed page, or all rows when page 1 is lost. [File.Damage] says what could not be read.
//
// # Hostile bytes
//
// Whatever the bytes are, everything here ends, does not panic, and keeps in memory no more than sets of page numbers,
// the index of the log, one path of pages and the rows of one cell (Orphans: of one page). Every page is entered once
// in a walk; an overflow page serves one row; a length is believed only as far as there are pages to hold it.
//
// SQLite files have no checksums outside the log: a byte that changed inside a value is a different value, and nobody
// can tell. What can be checked is: a record must fill its cell exactly, cells must not overlap, a chain must have the
// length that its cell says, ids must ascend and lie where the parent says.
//
// A [File] is used by one goroutine. Its methods read as they go; a read error of the disk is damage to that page.
package btree
