package powercut

import (
	"errors"
	"strconv"
	"strings"
)

// argument is one of a call. path is that of a file descriptor, or the text in quotes; data is the text in quotes.
type argument struct {
	text    string // what is not in quotes or angle brackets
	path    string
	data    []byte
	deleted bool // the file descriptor's file has no name any more
	cut     bool // strace left bytes out
}

func (a argument) number() (int64, error) { return strconv.ParseInt(a.text, 10, 64) }

// parseArguments reads up to the closing parenthesis and returns what follows it.
func parseArguments(text string) (args []argument, rest string, err error) {
	var a argument
	var plain strings.Builder
	some := false
	flush := func() {
		a.text = strings.TrimSpace(plain.String())
		if some || a.text != "" {
			args = append(args, a)
		}
		a, some = argument{}, false
		plain.Reset()
	}
	depth := 0
	for i := 0; i < len(text); {
		switch b := text[i]; {
		case b == '"' || b == '<' && !strings.HasPrefix(text[i:], "<<"): // << is a shift in flags
			if i, err = a.quoted(text, i); err != nil {
				flush()
				return args, "", err
			}
			some = true
			continue
		case b == ')' && depth == 0:
			flush()
			return args, text[i+1:], nil
		case b == ',' && depth == 0:
			some = true
			flush()
		default:
			depth += nesting(b)
			plain.WriteByte(b)
			if b == '<' {
				plain.WriteByte(b)
				i++
			}
		}
		i++
	}
	flush()
	return args, "", errShort
}

func nesting(b byte) int {
	switch b {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	}
	return 0
}

// quoted reads "data" or <path> at i and what may follow it, and returns where it ends.
func (a *argument) quoted(text string, i int) (int, error) {
	closing := byte('"')
	if text[i] == '<' {
		closing = '>'
	}
	data, end, err := unquote(text, i+1, closing)
	if err != nil {
		return end, err
	}
	a.path = string(data)
	if closing == '"' {
		a.data = data
		if strings.HasPrefix(text[end:], "...") {
			a.cut = true
			end += len("...")
		}
	} else if strings.HasPrefix(text[end:], "(deleted)") {
		a.deleted = true
		end += len("(deleted)")
	}
	return end, nil
}

// escapes are those of C that strace writes.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'v': '\v', 'f': '\f', '"': '"', '\\': '\\'}

var errEscape = errors.New("unknown escape")

// unquote reads C's escapes from i to the closing byte and returns the position after it.
func unquote(text string, i int, closing byte) ([]byte, int, error) {
	var data []byte
	for i < len(text) {
		b := text[i]
		if b == closing {
			return data, i + 1, nil
		}
		if i++; b == '\\' {
			n := 0
			if b, n = escaped(text[i:]); n == 0 {
				return nil, i, errEscape
			}
			i += n
		}
		data = append(data, b)
	}
	return nil, i, errShort
}

// escaped reads what follows a backslash, n bytes; 0 is none that is known.
func escaped(text string) (value byte, n int) {
	if strings.HasPrefix(text, "x") && len(text) >= 3 {
		v, err := strconv.ParseUint(text[1:3], 16, 8)
		if err != nil {
			return 0, 0
		}
		return byte(v), 3
	}
	v := 0
	for n < len(text) && n < 3 && '0' <= text[n] && text[n] <= '7' {
		v = v<<3 | int(text[n]-'0')
		n++
	}
	if n > 0 {
		return byte(v), n * bit(v < 256)
	}
	if text == "" {
		return 0, 0
	}
	value, known := escapes[text[0]]
	return value, bit(known)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
