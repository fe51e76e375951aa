package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// Field is one declared column and how its raw text is cleaned, in this order: Match, Remove, trimming, parsing as
// Type, Min and Max, In. Fill the exported fields, then call Table.Compile; they are not changed after that.
type Field struct {
	Name     string
	Type     Type
	Required bool
	Default  *string // as written in the job file; parsed by the field's own rules, without Match and Remove
	// Match keeps its group 1 of the text (the good match when it has no group), or nothing. Remove deletes all its matches.
	Match, Remove *regexp.Regexp
	// Min and Max are as written. For text they are numbers of characters (runes): Max cuts, fewer than Min rejects.
	// For numbers and dates they are bounds of the type, included.
	Min, Max *string
	Clamp    bool     // a value out of bounds becomes the bound, instead of a reject
	In       []string // the values allowed, parsed as Type; empty: all
	Decimal  string   // "," or ".": the decimal sign of the source; "": not known
	// Layout is how the source writes its dates: with a % in it in the notation of strptime, else in that of package
	// time; "": not known. A text must fit it as a whole. Without a zone in it the text is UTC.
	Layout string

	key                     bool  // in Table.Key, and so required: a NULL would defeat the unique index
	fallback                any   // Default as a value; nil when there is none
	min, max                any   // as values of the type (for text int64, runes); nil when there is none
	in                      []any // as values of the type
	layout                  *layout
	matchProbe, removeProbe probe
}

// compile returns what is wrong and with which property, in the words of the job file.
func (f *Field) compile() (what string, err error) {
	f.fallback, f.min, f.max, f.in = nil, nil, nil, nil
	f.matchProbe, f.removeProbe = newProbe(f.Match), newProbe(f.Remove)
	if err := f.Type.check(); err != nil {
		return "type", err
	}
	if f.Decimal != "" && f.Decimal != "," && f.Decimal != "." {
		return "decimal", fmt.Errorf("want \",\" or \".\", not %q", f.Decimal)
	}
	if err := f.compileLayout(); err != nil {
		return "layout", err
	}
	if f.min, err = f.bound(f.Min); err != nil {
		return "min", err
	}
	if f.max, err = f.bound(f.Max); err != nil {
		return "max", err
	}
	if f.min != nil && f.max != nil && compare(f.min, f.max) > 0 {
		return "min", fmt.Errorf("%s is over max %s", *f.Min, *f.Max)
	}
	if err := f.compileIn(); err != nil {
		return "in", err
	}
	if err := f.compileDefault(); err != nil {
		return "default", err
	}
	return "", nil
}

func (f *Field) compileLayout() (err error) {
	f.layout = nil
	switch {
	case f.Layout == "":
		return nil
	case f.Type.Kind != Date && f.Type.Kind != Datetime:
		return fmt.Errorf("it is for the types date and datetime, this field is of type %s", f.Type)
	}
	f.layout, err = newLayout(f.Layout, f.Type.Kind == Datetime)
	return err
}

func (f *Field) bound(written *string) (any, error) {
	if written == nil {
		return nil, nil
	}
	switch f.Type.Kind {
	case Text:
		n, err := strconv.ParseInt(*written, 10, 32)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is not a number of characters", *written)
		}
		return n, nil
	case Bool, URL, JSON:
		return nil, fmt.Errorf("a %s has no bounds", f.Type)
	}
	return f.written(*written)
}

// written parses what stands in the job file itself: as YAML writes it, with a decimal point and ISO dates, or else as
// the source does.
func (f *Field) written(s string) (any, error) {
	v, found := f.asYAML().parse(trim(s), true, "")
	if found != good {
		v, found = f.parse(trim(s), true, "")
	}
	if found != good {
		return nil, fmt.Errorf("%q is not a %s", s, f.Type)
	}
	return v, nil
}

// asYAML returns the field without the decimal sign and the layout of its source.
func (f *Field) asYAML() *Field {
	g := *f
	g.Decimal, g.layout = "", nil
	return &g
}

func (f *Field) compileIn() error {
	for _, s := range f.In {
		v, err := f.written(s)
		if err != nil {
			return err
		}
		f.in = append(f.in, v)
	}
	return nil
}

func (f *Field) compileDefault() error {
	if f.Default == nil {
		return nil
	}
	if *f.Default == "" && f.Type.Kind == Text {
		f.fallback = "" // the job asks for the empty string in the place of NULL
		return nil
	}
	v, found := f.asYAML().value(trim(*f.Default), true, "")
	if found == unreadable || found == ambiguous {
		v, found = f.value(trim(*f.Default), true, "")
	}
	switch found {
	case good:
		f.fallback = v
		return nil
	case low, high:
		return fmt.Errorf("%q is out of the bounds of the field", *f.Default)
	case foreign:
		return errors.New("it is not one of the values of in")
	}
	return fmt.Errorf("%q is not a %s", *f.Default, f.Type)
}
