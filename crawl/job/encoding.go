package job

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// encoding is how a text stands in the place where it is put.
type encoding uint8

const (
	asIs   encoding = iota // in a URL, and for a number in JSON
	inJSON                 // inside a string of JSON
	inForm                 // application/x-www-form-urlencoded

	// Of a value that was read, which nobody wrote to stand in a URL.
	inURL   // the beginning of one, or all of it: as it is
	inPath  // / and what is percent-encoded stay
	inQuery // behind a =: one value
)

func (e encoding) encode(text string) string {
	switch e {
	case inJSON:
		// What looks like a reference and is none must not be filled in.
		return strings.ReplaceAll(jsonEscape(text), "${", `$\u007b`)
	case inForm:
		return url.QueryEscape(text)
	case inURL:
		return strings.ReplaceAll(text, "${", "$%7B")
	case inPath:
		return percent(text, `?#{}\`)
	case inQuery:
		return percent(text, "&#+;{}")
	}
	return text
}

// percent encodes spaces, control characters, those of special, and a % that encodes nothing: what is encoded already
// stays.
func percent(text, special string) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for i := range len(text) {
		c := text[i]
		lone := c == '%' && !(i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]))
		if c > ' ' && c != 0x7f && !lone && strings.IndexByte(special, c) < 0 {
			out.WriteByte(c)
			continue
		}
		out.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
	return out.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// reference is how a ${NAME} that stays stands there. encode makes nothing that could be taken for one: a form has no
// $ in it otherwise.
func (e encoding) reference(ref string) string {
	if e == inJSON {
		return jsonEscape(ref)
	}
	return ref
}

func (e encoding) decode(text string) string {
	decoded, err := text, error(nil)
	switch e {
	case inJSON:
		err = json.Unmarshal([]byte(`"`+text+`"`), &decoded)
	case inForm:
		decoded, err = url.QueryUnescape(text)
	}
	if err != nil {
		return text
	}
	return decoded
}

// series encodes every text of a series of values. Numbers are the same everywhere.
func (e encoding) series(s series) series {
	switch s := s.(type) {
	case words:
		list := make([]string, len(s.list))
		for i, word := range s.list {
			list[i] = e.encode(word)
		}
		return words{list: list}.indexed()
	case choice:
		s.parts = slices.Clone(s.parts)
		for i, part := range s.parts {
			s.parts[i] = e.series(part)
		}
		return s
	}
	return s
}

// contentType says what a body of a task is: JSON is a map or a list here, and a form begins with neither brace nor
// bracket. It is found in the body itself, because tasks are kept without it.
func contentType(body string) string {
	switch {
	case body == "":
		return ""
	case body[0] == '{' || body[0] == '[':
		return "application/json"
	}
	return "application/x-www-form-urlencoded"
}
