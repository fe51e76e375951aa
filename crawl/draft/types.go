package draft

import (
	"regexp"
	"strings"
	"unicode"

	"dogear/schema"
)

// fits says whether package schema reads every text as a value of this type.
func fits(typ schema.Type, decimal string, texts []schema.Raw) bool {
	_, ok := values(typ, decimal, texts)
	return ok
}

func values(typ schema.Type, decimal string, texts []schema.Raw) ([]any, bool) {
	t := schema.Table{Name: "t", Fields: []schema.Field{{Name: "v", Type: typ, Decimal: decimal, Required: true}}}
	if len(texts) == 0 || t.Compile() != nil {
		return nil, false
	}
	var out []any
	for _, raw := range texts {
		row, _ := t.Clean([]schema.Raw{raw}, "https://page.example/")
		if row == nil {
			return nil, false
		}
		out = append(out, row.Values[0])
	}
	return out, true
}

var (
	digit = regexp.MustCompile(`\d`)
	// coded is what has only digits and is no number all the same: 007, or too long for one.
	coded = regexp.MustCompile(`^\s*[+-]?0\d|\d{19}`)
	clock = regexp.MustCompile(`\d:\d`)
	after = regexp.MustCompile(`[.,](\d+)\D*$`)
	// words are the fields that are text on other pages, even where they are all numbers on this one.
	words = regexp.MustCompile(`(^|_)(title|name|description|summary|author|text|content)$`)
	money = regexp.MustCompile(`(?i)(^|_)(price|amount|cost|fee|total|salary)(_|$)`)
)

// guessText is the type of what stands as text on a page, of all examples together; name is the field's.
func guessText(name string, texts []schema.Raw) (schema.Type, string) {
	if words.MatchString(name) {
		return schema.Type{}, ""
	}
	for _, raw := range texts {
		if len(raw.Text) > 60 || !digit.MatchString(raw.Text) {
			return schema.Type{}, ""
		}
	}
	if typ, ok := guessDate(texts); ok {
		return typ, ""
	}
	for _, raw := range texts {
		if coded.MatchString(raw.Text) {
			return schema.Type{}, ""
		}
	}
	sign, ok := decimalSign(texts)
	if !ok {
		return schema.Type{}, ""
	}
	priced := money.MatchString(name)
	for _, raw := range texts {
		priced = priced || strings.ContainsFunc(raw.Text, isUnit)
	}
	return numberType(texts, sign, priced), sign
}

// isUnit is what numbers of money, and few others, have beside them.
func isUnit(r rune) bool { return unicode.Is(unicode.Sc, r) || unicode.IsLetter(r) }

// guessDate knows a date and a moment by what package schema makes of them.
func guessDate(texts []schema.Raw) (schema.Type, bool) {
	typ := schema.Type{Kind: schema.Date}
	for _, raw := range texts {
		if clock.MatchString(raw.Text) {
			typ.Kind = schema.Datetime
		}
	}
	return typ, fits(typ, "", texts)
}

// widest is a decimal for every number that a text can be.
var widest = schema.Type{Kind: schema.Decimal, Precision: 65, Scale: 30}

// decimalSign says whether the texts are numbers, and which decimal sign a field must be told for them: "" when they
// leave no doubt, or the only one that will do. 1,234 alone is doubtful: then it is no number.
func decimalSign(texts []schema.Raw) (sign string, ok bool) {
	if fits(widest, "", texts) {
		return "", true
	}
	point, comma := fits(widest, ".", texts), fits(widest, ",", texts)
	switch {
	case point == comma:
		return "", false
	case comma:
		return ",", true
	}
	return ".", true
}

// numberType is the type for numbers: int when all are whole and no prices, else a decimal with room.
func numberType(texts []schema.Raw, sign string, priced bool) schema.Type {
	whole := schema.Type{Kind: schema.Int}
	fraction, most, even := fractions(texts, sign)
	if fraction == 0 && !priced && fits(whole, sign, texts) {
		return whole
	}
	switch {
	case priced && fraction < 2 || fraction == 1 && !even:
		fraction = 2
	case fraction > 2 && !even:
		fraction += 2
	}
	fraction = min(fraction, 30)
	return schema.Type{Kind: schema.Decimal, Precision: min(max(10, most+2+fraction), 65), Scale: fraction}
}

// fractions returns the most digits after and before the point. It is even when all of several texts show as many
// digits after it: then the page rounds, and others will have no more.
func fractions(texts []schema.Raw, sign string) (fraction, whole int, even bool) {
	read, _ := values(widest, sign, texts)
	least := 1000
	for i, v := range read {
		before, behind, _ := strings.Cut(strings.TrimLeft(v.(string), "-0"), ".")
		shown := len(strings.TrimRight(behind, "0"))
		if m := after.FindStringSubmatch(texts[i].Text); m != nil && len(m[1]) != 3 {
			shown = max(shown, len(m[1]))
		}
		fraction, whole, least = max(fraction, shown), max(whole, len(before)), min(least, shown)
	}
	return fraction, whole, len(texts) > 2 && fraction == least
}
