package draft

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// exampleWidth is how much of a page's text a comment shows: columns, of which a Chinese character takes two.
const exampleWidth = 40

// plain is what needs no quotes in YAML, in block and in flow: none of its characters means anything to it where it
// stands.
var plain = regexp.MustCompile(`^[A-Za-z.$](?:[A-Za-z0-9_.$@/*-]| > | [A-Za-z.])*$`)

// plainURL is that for URLs, which stand in block style only; braces in them are the job's own.
var plainURL = regexp.MustCompile(`^https?://[A-Za-z0-9._~/?&=%+:{}-]*[A-Za-z0-9_~/=}-]$`)

// yamlWords are what YAML takes for something else than text, or dogear for a mistake.
var yamlWords = []string{"yes", "no", "on", "off", "y", "n", "true", "false", "null", ".inf", ".nan"}

// writable says whether a text can stand in a job file: nothing but what can be printed.
func writable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) &&
		!strings.ContainsRune(s, utf8.RuneError)
}

// scalar writes a writable text so that the loader reads it back as it is. A "${" is written as $${, which is the
// loader's way, and the brace in YAML's: the loader looks for the end of each ${ before YAML has read where a text
// ends.
func scalar(s string) string {
	if (plain.MatchString(s) || plainURL.MatchString(s)) && !slices.Contains(yamlWords, strings.ToLower(s)) {
		return s
	}
	return quoted(s)
}

// quoted is scalar with quotes in any case, as a URL with braces needs them in flow style.
func quoted(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "${", `$$\x7B`).Replace(s)
	return `"` + s + `"`
}

// comment makes one line of a text: no control characters, nothing that a terminal or an editor takes for a line end.
func comment(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s))
}

// example is a text of the page as a comment shows it.
func example(s string) string {
	if len(s) > 1000 {
		s = s[:1000]
	}
	s = comment(s)
	if columns(s) <= exampleWidth {
		return s
	}
	used := 0
	for i, r := range s {
		if used += runeColumns(r); used > exampleWidth-1 {
			return strings.TrimSpace(s[:i]) + "…"
		}
	}
	return s
}

// columns is how wide a text is on a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
