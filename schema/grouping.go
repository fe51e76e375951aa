package schema

import "strings"

// separate reads digits with the separators . , ' and space, and returns them in machine form, [digits].digits.
//
// When decimal is "" the decimal sign follows from the text: of two different signs the last one, of one sign that
// stands several times none, of a single one that sign, unless it could as well separate thousands: that is ambiguous.
func separate(s, decimal string) (string, finding) {
	for i := range len(s) {
		if !isDigit(s[i]) && !strings.ContainsRune(" .,'", rune(s[i])) {
			return "", unreadable
		}
	}
	at, found := decimalAt(s, decimal)
	if found != good {
		return "", found
	}
	integer, fraction := s, ""
	if at >= 0 {
		integer, fraction = s[:at], s[at+1:]
		if fraction == "" || !allDigits(fraction) {
			return "", unreadable
		}
	}
	if integer == "" && at == 0 {
		return "0." + fraction, good // ",89" and ".5"
	}
	integer, ok := ungroup(integer)
	switch {
	case !ok:
		return "", unreadable
	case at < 0:
		return integer, good
	}
	return integer + "." + fraction, good
}

// decimalAt returns where the decimal sign stands, -1 for nowhere.
func decimalAt(s, decimal string) (int, finding) {
	dots, commas := strings.Count(s, "."), strings.Count(s, ",")
	switch {
	case decimal == "." && dots <= 1:
		return strings.IndexByte(s, '.'), good
	case decimal == "," && commas <= 1:
		return strings.IndexByte(s, ','), good
	case decimal != "":
		return 0, unreadable // it can't stand twice
	case dots == 0 && commas == 0:
		return -1, good
	}
	last := strings.LastIndexAny(s, ".,")
	times := dots
	if s[last] == ',' {
		times = commas
	}
	switch {
	case times > 1 && dots > 0 && commas > 0:
		return 0, unreadable
	case times > 1:
		return -1, good
	case dots > 0 && commas > 0, strings.ContainsAny(s, " '"):
		return last, good
	case eitherWay(s[0], last, len(s)-last-1):
		return 0, ambiguous
	}
	return last, good
}

// ungroup takes the thousands separators out of an integer: one kind of them, between groups of three, or as in India
// of two before the last three (12,34,567).
func ungroup(s string) (string, bool) {
	first := strings.IndexAny(s, " .,'")
	if first < 0 {
		return s, s != ""
	}
	groups := strings.Split(s, s[first:first+1])
	n := len(groups)
	head, last := groups[0], groups[n-1]
	if len(head) < 1 || len(head) > 3 || head[0] == '0' || len(last) != 3 || !allDigits(head) || !allDigits(last) {
		return "", false
	}
	size := 3
	if n > 2 && s[first] == ',' && len(groups[1]) == 2 && len(head) <= 2 {
		size = 2
	}
	for _, g := range groups[1 : n-1] {
		if len(g) != size || !allDigits(g) {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}
