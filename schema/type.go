package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is what sort of value a field holds.
type Kind uint8

// The kinds of value, in the words of the job file. The zero value is Text, the type of a field that names none.
const (
	Text Kind = iota
	Int
	Decimal
	Real
	Bool
	Date
	Datetime
	URL
	JSON
)

var kindNames = [...]string{"text", "int", "decimal", "real", "bool", "date", "datetime", "url", "json"}

// maxPrecision is MySQL's and MariaDB's limit for DECIMAL, which an export has to fit in.
const (
	maxPrecision = 65
	maxScale     = 30
)

// Type is the type of a field. Precision (all digits) and Scale (those after the decimal point) are for Decimal only.
type Type struct {
	Kind             Kind
	Precision, Scale int
}

// ParseType reads a type as the job file writes it: "text", "int", "decimal(10,2)", "real", "bool", "date",
// "datetime", "url", "json". "" is text. Decimals have 1 to 65 digits, at most 30 of them after the point (the limits
// of DECIMAL in MySQL); "decimal(10)" has none there.
func ParseType(s string) (Type, error) {
	word, args, hasArgs := strings.Cut(strings.TrimSpace(s), "(")
	word = strings.TrimSpace(word)
	if word == "" && !hasArgs {
		return Type{}, nil
	}
	for k, name := range kindNames {
		if name != word {
			continue
		}
		if Kind(k) == Decimal {
			return parseDecimalType(s, args, hasArgs)
		}
		if hasArgs {
			return Type{}, fmt.Errorf("type %q: only decimal takes (digits, digits)", s)
		}
		return Type{Kind: Kind(k)}, nil
	}
	return Type{}, fmt.Errorf("unknown type %q, want one of text, int, decimal(10,2), real, bool, date, datetime, url, json", s)
}

func parseDecimalType(s, args string, hasArgs bool) (Type, error) {
	if !hasArgs {
		return Type{}, fmt.Errorf("type %q: say how many digits, such as decimal(10,2): 10 digits, 2 of them after the point", s)
	}
	inner, ok := strings.CutSuffix(args, ")")
	if !ok {
		return Type{}, fmt.Errorf("type %q: the closing parenthesis is missing", s)
	}
	p, sc, two := strings.Cut(inner, ",")
	precision, err := strconv.Atoi(strings.TrimSpace(p))
	scale := 0
	if err == nil && two {
		scale, err = strconv.Atoi(strings.TrimSpace(sc))
	}
	if err != nil {
		return Type{}, fmt.Errorf("type %q: want decimal(digits, digits after the point), such as decimal(10,2)", s)
	}
	t := Type{Kind: Decimal, Precision: precision, Scale: scale}
	if err := t.check(); err != nil {
		return Type{}, fmt.Errorf("type %q: %w", s, err)
	}
	return t, nil
}

// check holds for every type that ParseType returns; a Type made by hand is checked by Table.Compile.
func (t Type) check() error {
	switch {
	case int(t.Kind) >= len(kindNames):
		return fmt.Errorf("there is no kind of type %d", t.Kind)
	case t.Kind != Decimal:
		return nil
	case t.Precision < 1 || t.Precision > maxPrecision:
		return fmt.Errorf("a decimal has 1 to %d digits, not %d", maxPrecision, t.Precision)
	case t.Scale < 0 || t.Scale > maxScale || t.Scale > t.Precision:
		return fmt.Errorf("of %d digits 0 to %d can stand after the point, not %d",
			t.Precision, min(t.Precision, maxScale), t.Scale)
	}
	return nil
}

// String returns the type as the job file writes it.
func (t Type) String() string {
	switch {
	case int(t.Kind) >= len(kindNames):
		return "unknown"
	case t.Kind == Decimal:
		return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
	}
	return kindNames[t.Kind]
}

// Column returns the type of the field's column in a STRICT SQLite table. A decimal is TEXT: SQLite's own NUMERIC
// would pass it through a float and lose digits.
func (t Type) Column() string {
	switch t.Kind {
	case Int, Bool, Datetime:
		return "INTEGER"
	case Real:
		return "REAL"
	}
	return "TEXT"
}
