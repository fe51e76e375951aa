package export

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// List is one of the two lists of a checkpoint.
type List int

// The lists of a checkpoint.
const (
	FinishedList List = iota // what a script has done
	FailedList               // what it gave up
)

// listNames are the names that scripts give to the lists. The first two of each are those that dogear's own exports
// have.
var listNames = map[List][]string{
	FinishedList: {"finished_urls", "completed_ids", "finished_ids", "completed_urls"},
	FailedList:   {"fail_urls", "failed_ids", "failed_urls", "fail_ids"},
}

// pageName is the name of how far a script has come.
const pageName = "current_page"

// listOf returns the list of a name.
func listOf(name string) (List, bool) {
	for list, names := range listNames {
		for _, n := range names {
			if n == name {
				return list, true
			}
		}
	}
	return 0, false
}

// Place is where something stands in a checkpoint.
type Place struct {
	Source    string // a file, a Redis or a table
	Line, Col int    // from 1, the column in bytes; 0: it has no lines
	Key       string // the list, or current_page
	Index     int    // in the list, from 0; -1: the whole of it
	Member    string // of a set, which has no order
}

// String is the place as in progress.json:3:17: fail_urls[12].
func (p Place) String() string {
	text := p.Source
	if p.Line > 0 {
		text += fmt.Sprintf(":%d:%d", p.Line, p.Col)
	}
	if p.Key == "" {
		return text
	}
	if text != "" {
		text += ": "
	}
	switch {
	case p.Member != "":
		return text + p.Key + " member"
	case p.Index >= 0:
		return text + fmt.Sprintf("%s[%d]", p.Key, p.Index)
	}
	return text + p.Key
}

// Entry is one of the things that a script has done or given up: a URL, or a whole number.
type Entry struct {
	Place Place
	Text  string
}

// Damage is something in a checkpoint that can't be taken over.
type Damage struct {
	Place Place
	What  string // the reason, the same for all of its kind
	Text  string // what stands there; "" when there is nothing to show
}

// Page is how far a script came, page by page or id by id.
type Page struct {
	Place  Place
	Number int64
	Given  bool
	// Doubt is why what lies below Number need not be finished: the list of failed ones is not whole. "": no doubt.
	Doubt string
}

// maxEntry is far longer than any URL that a server takes.
const maxEntry = 64 << 10

var whole = regexp.MustCompile(`^\s*(-?[0-9]+)(?:\.0*)?\s*$`)

// entryText is what an entry says, cleaned; or what is wrong with it.
func entryText(s string) (text, wrong string) {
	text = strings.TrimSpace(s)
	switch {
	case text == "":
		return "", "empty"
	case len(text) > maxEntry:
		return "", "longer than a URL can be"
	case !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError):
		return "", "not UTF-8"
	case strings.ContainsFunc(text, unicode.IsControl):
		return "", "with control characters in it"
	}
	if m := whole.FindStringSubmatch(text); m != nil {
		return m[1], ""
	}
	return text, ""
}
