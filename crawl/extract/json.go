package extract

import (
	"bytes"
	"encoding/json"
	"strings"
)

// fewNames is up to how many member names are compared with each other; more are put into a set.
const fewNames = 24

// children calls yield with the index of every element or member value of a token, in order, until it says false.
func (d *document) children(i int, yield func(child int) bool) bool {
	skip := 0
	switch d.tokens[i].kind {
	case '[':
	case '{':
		skip = 1
	default:
		return true
	}
	for c, end := i+1, int(d.tokens[i].next); c < end; {
		c += skip
		if !yield(c) {
			return false
		}
		c = int(d.tokens[c].next)
	}
	return true
}

// member returns the value of an object's member, -1 when there is none or the token is no object.
func (d *document) member(i int, name string) int {
	if d.tokens[i].kind != '{' {
		return -1
	}
	for c, end := i+1, int(d.tokens[i].next); c < end; c = int(d.tokens[c+1].next) {
		if d.named(c, name) {
			return c + 1
		}
	}
	return -1
}

func (d *document) named(i int, name string) bool {
	t := &d.tokens[i]
	if t.plain {
		return string(d.text[t.start+1:t.end-1]) == name
	}
	return d.unquote(i) == name
}

// element returns the n-th element of an array, from its end when n is negative; -1 when there is none or the
// token is no array.
func (d *document) element(i, n int) int {
	if d.tokens[i].kind != '[' {
		return -1
	}
	if n < 0 {
		if n += d.length(i); n < 0 {
			return -1
		}
	}
	found := -1
	d.children(i, func(c int) bool {
		if n == 0 {
			found = c
		}
		n--
		return found < 0
	})
	return found
}

// length returns the number of elements or members.
func (d *document) length(i int) int {
	n := 0
	d.children(i, func(int) bool { n++; return true })
	return n
}

// distinct refuses a name that occurs twice in an object: which of the two values is meant is anybody's guess
// (RFC 8259 section 4).
func (d *document) distinct(object int) error {
	first, end := object+1, int(d.tokens[object].next)
	var names map[string]bool
	if d.length(object) > fewNames {
		names = make(map[string]bool)
	}
	for c := first; c < end; c = int(d.tokens[c+1].next) {
		var twice bool
		if names == nil {
			twice = d.before(first, c)
		} else {
			name := d.unquote(c)
			twice, names[name] = names[name], true
		}
		if twice {
			d.at = int(d.tokens[c].start)
			return d.fail("the member %q occurs twice", d.unquote(c))
		}
	}
	return nil
}

// before says whether a name of the same object, from first on, equals the name at c.
func (d *document) before(first, c int) bool {
	name, plain := d.tokens[c], d.tokens[c].plain
	text := d.text[name.start:name.end]
	for e := first; e < c; e = int(d.tokens[e+1].next) {
		t := &d.tokens[e]
		if plain && t.plain {
			if string(d.text[t.start:t.end]) == string(text) {
				return true
			}
		} else if d.unquote(e) == d.unquote(c) {
			return true
		}
	}
	return false
}

// unquote returns a string token without its quotes and escapes.
func (d *document) unquote(i int) string {
	t := d.tokens[i]
	if t.plain {
		return string(d.text[t.start+1 : t.end-1])
	}
	var s string
	// It was checked when it was read; encoding/json settles lone surrogates and bytes that are no UTF-8.
	_ = json.Unmarshal(d.text[t.start:t.end], &s)
	return s
}

// scalar returns a value as a person would write it: a string without quotes, anything else as document does.
func (d *document) scalar(i int) string {
	if d.tokens[i].kind == '"' {
		return d.unquote(i)
	}
	return d.compact(i)
}

// compact returns a value as JSON without white space, digits as they were.
func (d *document) compact(i int) string {
	t := d.tokens[i]
	text := d.text[t.start:t.end]
	if t.kind == '{' || t.kind == '[' {
		var b bytes.Buffer
		_ = json.Compact(&b, text) // checked when it was read
		text = b.Bytes()
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// values returns the decoded value of every token (names are nil), numbers as json.Number.
func (d *document) values() []any {
	if d.decoded != nil {
		return d.decoded
	}
	d.decoded = make([]any, len(d.tokens))
	for i := len(d.tokens) - 1; i >= 0; i-- { // from the end: what is in a value comes before it
		if !d.tokens[i].name {
			d.decoded[i] = d.decode(i)
		}
	}
	return d.decoded
}

func (d *document) decode(i int) any {
	t := d.tokens[i]
	switch t.kind {
	case '{':
		object := make(map[string]any)
		d.children(i, func(c int) bool { object[d.unquote(c-1)] = d.decoded[c]; return true })
		return object
	case '[':
		array := make([]any, 0, 8)
		d.children(i, func(c int) bool { array = append(array, d.decoded[c]); return true })
		return array
	case '"':
		return d.unquote(i)
	case '0':
		return json.Number(d.text[t.start:t.end])
	case 'n':
		return nil
	}
	return t.kind == 't'
}
