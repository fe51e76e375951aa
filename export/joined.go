package export

import (
	"regexp"
	"strings"
)

// begins is what an entry of a joined list begins with, after the spaces, quotes and brackets that Python's str() of a
// list puts there: a scheme, or a number that is an entry by itself.
var begins = regexp.MustCompile(`^[\s'"\[{(]*(?:[A-Za-z][A-Za-z0-9+.-]*://|(-?[0-9]+(?:\.0*)?)[\s'"\]})]*(?:[,\n]|$))`)

// looked is how many bytes behind a comma decide whether an entry begins there: more would make a text of commas alone
// cost the square of its length.
const looked = 100

// trimmed are the characters round an entry that are no part of it.
const trimmed = " \t\r\n'\"[]{}()"

// splitJoined calls f with the entries of a list that a script joined with commas or line breaks. URLs have commas
// themselves, and so have their numbers: a comma ends a URL only where another one begins, and a number only when a
// number or a URL follows.
func splitJoined(text string, f func(i int, entry string) error) error {
	n := 0
	emit := func(entry string) error {
		if entry = cutQuotes(entry); entry == "" {
			return nil // two separators in a row, or one at the end
		}
		n++
		return f(n-1, entry)
	}
	from := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '\n':
		case ',':
			if !parts(text[from:at], text[at+1:]) {
				continue
			}
		default:
			continue
		}
		if err := emit(text[from:at]); err != nil {
			return err
		}
		from = at + 1
	}
	return emit(text[from:])
}

// parts reports whether a comma between the two is one between entries.
func parts(before, after string) bool {
	if strings.Trim(before, trimmed) == "" {
		return true
	}
	after = strings.TrimLeft(after[:min(len(after), looked)], ", \t\r\n")
	m := begins.FindStringSubmatchIndex(after)
	if m == nil {
		return strings.Trim(after, trimmed) == ""
	}
	number := m[2] >= 0
	return !number || whole.MatchString(strings.Trim(before, trimmed))
}

// cutQuotes takes away what str() of a list puts round an entry; a bracket that belongs to a URL stays.
func cutQuotes(entry string) string {
	entry = strings.TrimLeft(entry, trimmed)
	if len(entry) > maxEntry {
		return entry // no entry, whatever is cut away
	}
	for {
		cut := strings.TrimRight(entry, " \t\r\n'\"")
		for _, pair := range []string{"[]", "{}", "()"} {
			if strings.HasSuffix(cut, pair[1:]) && strings.Count(cut, pair[1:]) > strings.Count(cut, pair[:1]) {
				cut = cut[:len(cut)-1]
			}
		}
		if cut == entry {
			return cut
		}
		entry = cut
	}
}

// joined reads a list that a script kept as one text: a JSON array, or entries joined with commas or line breaks. With
// cut, the text was too long for its place, so its last entry may be half.
func joined(text string, at Place, cut bool, out *sink) error {
	trimmedText := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if strings.HasPrefix(trimmedText, "[") && !strings.HasPrefix(strings.TrimSpace(trimmedText[1:]), "'") {
		return newJSONReader(strings.NewReader(trimmedText), at.Source, out).array(at)
	}
	if trimmedText == "" || trimmedText == "null" || trimmedText == "None" {
		return nil
	}
	var last *Entry
	give := func() error {
		if last == nil {
			return nil
		}
		return out.entryOrDamage(*last)
	}
	err := splitJoined(text, func(i int, entry string) error {
		err := give()
		place := at
		place.Index = i
		last = &Entry{place, entry}
		return err
	})
	if err != nil {
		return err
	}
	if cut && last != nil {
		out.damage(Damage{last.Place, "the last entry of a text that is as long as its place allows: it may be half",
			last.Text})
		return nil
	}
	return give()
}
