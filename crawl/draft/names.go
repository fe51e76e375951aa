package draft

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// longestName keeps column names readable; 63 characters are allowed.
const longestName = 40

// snake makes a column name of a word of the page: lower-case ASCII words with _ between them. "" when nothing is left.
func snake(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s[:min(len(s), 200)] {
		letter := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
		switch {
		case !letter:
			if b.Len() > 0 && last != '_' {
				b.WriteByte('_')
			}
			last = '_'
			continue
		case unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	name := b.String()
	name = strings.Trim(name[:min(len(name), longestName)], "_")
	if name == "" || unicode.IsDigit(rune(name[0])) {
		return ""
	}
	return name
}

// namer gives each field a name of its own.
type namer struct{ taken map[string]bool }

// name returns the first word that can be a name, with a number behind it when it is taken.
func (n *namer) name(words ...string) string {
	for _, word := range words {
		name := snake(word)
		if name == "" {
			continue
		}
		if slices.Contains(yamlWords, name) { // a key that YAML would take for no text
			name += "_field"
		}
		unique := name
		for i := 2; n.taken[unique]; i++ {
			unique = name + "_" + strconv.Itoa(i)
		}
		n.taken[unique] = true
		return unique
	}
	return n.numbered("text")
}

// numbered returns text_1, text_2 and so on.
func (n *namer) numbered(stem string) string {
	for i := 1; ; i++ {
		name := stem + "_" + strconv.Itoa(i)
		if !n.taken[name] {
			n.taken[name] = true
			return name
		}
	}
}

var (
	identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{1,39}$`)
	// generated are the beginnings that tools put before a hash or a number.
	generated = regexp.MustCompile(`(?i)^(css|sc|jsx|jss|emotion|svelte|makestyles|styles|chakra|mui|ng|v|ember|react|` +
		`yui|ext)[-_]`)
	digits = regexp.MustCompile(`\d{3}`)
	mixed  = regexp.MustCompile(`[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d|[a-z][A-Z]+[a-z]*[A-Z][a-z]*[A-Z0-9]`)
	vowel  = regexp.MustCompile(`(?i)[aeiouy]`)
	// layout are the utility classes of style sheets: they say how something looks, not what it is.
	layout = regexp.MustCompile(`^(?:-?[mp][trblxyse]?-|(?:sm|md|lg|xl|xs)[-_]|col|row|grid|flex|d-|w-|h-|gap-|text-|` +
		`font-|bg-|border|rounded|shadow|items-|justify|align|float|pull-|clearfix|container|wrapper|wrap$|inner$|block$|inline|hidden|` +
		`relative|absolute|z-|overflow|leading-|tracking-|space-|size-|img-|btn|` +
		`button|fa-|fa$|icon|pure-|uk-|is-|has-|js-|u-|l-|o-)`)
	// passing are the classes that some elements of a list have and others have not.
	passing = []string{"first", "last", "odd", "even", "active", "selected", "current", "open", "closed", "hover",
		"new", "hot", "sale", "visited", "disabled", "left", "right", "top", "bottom", "center", "clear", "fl", "fr", "cf"}
)

// How good a class is in a selector.
const (
	useless = iota
	weak
	good
)

// rank says how much a class, or an id, looks like a word that somebody chose for what the element is. The others
// change with the next build of the site, or with the element's place.
func rank(class string) int {
	lower := strings.ToLower(class)
	switch {
	case !identifier.MatchString(class), generated.MatchString(class), digits.MatchString(class),
		slices.Contains(passing, lower):
		return useless
	}
	for _, word := range strings.FieldsFunc(class, func(r rune) bool { return r == '-' || r == '_' }) {
		if mixed.MatchString(word) || len(word) >= 5 && !vowel.MatchString(word) {
			return useless
		}
	}
	if layout.MatchString(lower) {
		return weak
	}
	return good
}

// bare takes the name of the block off a class: card__price and card-price are the price of a card.
func bare(class string, blocks []string) string {
	if _, part, ok := strings.Cut(class, "__"); ok {
		part, _, _ = strings.Cut(part, "--")
		return part
	}
	for _, block := range blocks {
		for _, sign := range []string{"-", "_"} {
			if part, ok := strings.CutPrefix(class, block+sign); ok && snake(part) != "" {
				return part
			}
		}
	}
	return class
}
