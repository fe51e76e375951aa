package btree

import "fmt"

// Damage is what could not be read. A page or cell counts once however often it is met. Of the pages on which a walk
// was stopped by its receiver, what it had not come to yet is not counted later.
type Damage struct {
	// Pages counts pages that are unreadable, missing, pointed to by mistake or out of order, and a log that is not
	// this file's. The rows of a page out of order are given all the same.
	Pages int
	// Cells counts rows that are unreadable or whose overflow is lost, rows with text that is not UTF-8 (which are
	// given with the bad bytes replaced), and unreadable pointers of interior pages.
	Cells int
	// First is the first of them in words, "" for none: "page 17: zeroed", "file ends at page 900 of 1200".
	First string
}

// Damage returns what could not be read so far.
func (f *File) Damage() Damage { return f.damage }

func (f *File) note(format string, args ...any) {
	if f.damage.First == "" {
		f.damage.First = fmt.Sprintf(format, args...)
	}
}

// badPage counts a page whose content is at fault.
func (f *File) badPage(n uint32, why error) {
	f.faults++
	if f.bad.add(n) {
		f.damage.Pages++
		f.note("page %d: %v", n, why)
	}
}

// badPointer counts a page that a parent points to by mistake. What lies beyond the end was counted when it was opened.
func (f *File) badPointer(n uint32, why error) {
	f.faults++
	if n > f.limit && n <= f.expected {
		return
	}
	f.damage.Pages++
	f.note("page %d: %v", n, why)
}

func (f *File) badCell(p page, i int, why error) {
	f.faults++
	f.damage.Cells++
	f.note("page %d, cell %d: %v", p.number, i, why)
}
