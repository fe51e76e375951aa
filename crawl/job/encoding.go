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
)

func (e encoding) encode(text string) string {
	switch e {
	case inJSON:
		// What looks like a reference and is none must not be filled in.
		return strings.ReplaceAll(jsonEscape(text), "${", `$\u007b`)
	case inForm:
		return url.QueryEscape(text)
	}
	return text
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
