package job

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// errReference marks a ${…} that is not written right; its text shows only what stands in the job file.
var errReference = errors.New("bad ${NAME}")

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// maskBase begins a private-use block of Unicode in which mask hides characters from YAML. Job files can't hold
// characters of it (see checkText).
const maskBase = 0xF0000

// maskSpecial are the characters that YAML could read as syntax inside ${…}.
const maskSpecial = "{}[],#:$"

// mask makes each ${…} one plain word for YAML, wherever it stands: [http://${USER}@host, x] is otherwise a syntax
// error because of the braces. Every character is replaced by one character, so that columns stay true.
func mask(text string) string {
	var out strings.Builder
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			out.WriteString(text)
			return out.String()
		}
		end := referenceEnd(text[i:])
		out.WriteString(text[:i])
		for _, c := range text[i : i+end] {
			if strings.ContainsRune(maskSpecial, c) {
				c += maskBase
			}
			out.WriteRune(c)
		}
		text = text[i+end:]
	}
}

// unmask undoes mask.
func unmask(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= maskBase && c < maskBase+0x80 {
			return c - maskBase
		}
		return c
	}, text)
}

// referenceEnd returns the length of the ${…} that text begins with, up to its own closing brace on the same line; 2 (the
// length of "${") when it has none. Another ${ ends the search: references do not nest, and a line of "${${${…" would cost
// the square of its length.
func referenceEnd(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '{':
			if depth++; depth > 1 && text[i-1] == '$' {
				return 2
			}
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '\n':
			return 2
		}
	}
	return 2
}

// filled is a scalar's text after ${NAME} is replaced.
type filled struct {
	text  string
	names []string // of the variables that it used
	parts []part   // what it was made of; nil when nothing was filled in
}

// part is a piece of a scalar: literal text, or a variable's value with the ${…} that it stands for.
type part struct {
	text    string
	ref     string // as written; "" for literal text
	name    string // of the variable
	outside bool   // the value is not the default, so it may be a secret
}

// fill replaces ${NAME} and ${NAME:-default} in a scalar's text. As in a shell the default also stands in for a variable
// that is empty; $${NAME} is a literal ${NAME}. The error of a variable that is not set says what to do; no error and no
// name shows a value.
func fill(raw string, env func(string) (string, bool)) (filled, error) {
	var out, literal strings.Builder
	var f filled
	for rest := raw; ; {
		i := strings.Index(rest, "${")
		if i < 0 {
			out.WriteString(rest)
			f.text = out.String()
			if f.parts != nil {
				f.parts = append(f.parts, part{text: literal.String() + rest})
			}
			return f, nil
		}
		end := referenceEnd(rest[i:])
		if i > 0 && rest[i-1] == '$' {
			out.WriteString(rest[:i-1] + rest[i:i+end])
			literal.WriteString(rest[:i-1] + rest[i:i+end])
			rest = rest[i+end:]
			continue
		}
		name, value, outside, err := reference(rest[i:i+end], env)
		if err != nil {
			return filled{}, err
		}
		out.WriteString(rest[:i] + value)
		literal.WriteString(rest[:i])
		f.parts = append(f.parts, part{text: literal.String()}, part{value, rest[i : i+end], name, outside})
		literal.Reset()
		if !slices.Contains(f.names, name) {
			f.names = append(f.names, name)
		}
		rest = rest[i+end:]
	}
}

// reference looks up one ${NAME} or ${NAME:-default}; outside says that the value is not the default.
func reference(ref string, env func(string) (string, bool)) (name, value string, outside bool, err error) {
	if !strings.HasSuffix(ref, "}") {
		return "", "", false, fmt.Errorf("%w: the closing } of ${ is missing (a default can't hold another ${…})", errReference)
	}
	name, fallback, hasDefault := strings.Cut(ref[2:len(ref)-1], ":-")
	if !variableName.MatchString(name) {
		return "", "", false, fmt.Errorf("%w: %s is not ${NAME} or ${NAME:-default}; for these characters themselves write $%s", errReference, shorten(ref), shorten(ref))
	}
	value, set := env(name)
	switch {
	case hasDefault && value == "":
		return name, fallback, false, nil
	case !set:
		return "", "", false, fmt.Errorf("%s is not set: set it in the environment, or write %s=… into a file .env beside the job file, or give a default: ${%s:-…}", name, name, name)
	}
	return name, value, true, nil
}
