package extract

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// maxNesting is how deep arrays and objects may lie in each other; encoding/json draws the same line.
const maxNesting = 10000

// token is one value of a document, or the name of a member; the member's value is the token after it.
type token struct {
	start, end uint32 // of the text, quotes and brackets included
	next       uint32 // index of the token that follows this one and everything in it
	kind       byte   // first byte of the text, for a number '0'
	plain      bool   // a string whose text is what stands between the quotes
	name       bool
}

// document is a JSON text, checked and cut into tokens. Tokens are in the order of the text, so those of a value
// and everything in it are a contiguous run. The zero document is ready for read, again and again.
type document struct {
	text    []byte
	at      int // next byte to read
	tokens  []token
	budget  *budget // nil: there is no end to it
	decoded []any   // what filters compare, made when the first filter asks; see json.go
}

// read checks text (RFC 8259, one document) and cuts it up. The document points into text. The error is a
// *syntaxError.
func (d *document) read(text []byte) error {
	if err := d.begin(text); err != nil {
		return err
	}
	d.space()
	if d.at < len(text) {
		return d.fail("unexpected %s after the end of the document", d.seen())
	}
	return nil
}

// begin reads the one value that text begins with, whatever stands behind it.
func (d *document) begin(text []byte) error {
	d.text, d.at, d.tokens, d.decoded = text, 0, d.tokens[:0], nil
	if uint64(len(text)) >= math.MaxUint32 {
		return d.fail("the document is larger than 4 GiB")
	}
	d.space()
	return d.value(0)
}

func (d *document) fail(format string, args ...any) error {
	return &syntaxError{offset: d.at, what: fmt.Sprintf(format, args...)}
}

// seen names the next byte, or what stands for it, for messages.
func (d *document) seen() string {
	if d.at >= len(d.text) {
		return "end of the text"
	}
	r, size := utf8.DecodeRune(d.text[d.at:])
	switch {
	case r == '\uFEFF':
		return "byte order mark"
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("byte 0x%02x", d.text[d.at])
	}
	return fmt.Sprintf("%q", r)
}

func (d *document) space() {
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

// peek returns the next byte; 0, which is valid nowhere in JSON, at the end.
func (d *document) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *document) open(kind byte) int {
	d.tokens = append(d.tokens, token{start: uint32(d.at), kind: kind})
	return len(d.tokens) - 1
}

func (d *document) shut(i int) {
	d.tokens[i].end, d.tokens[i].next = uint32(d.at), uint32(len(d.tokens))
}

// value reads one value that lies within depth others.
func (d *document) value(depth int) error {
	switch c := d.peek(); c {
	case '{', '[':
		if depth++; depth > maxNesting {
			return d.fail("nested deeper than %d levels", maxNesting)
		}
		if c == '{' {
			return d.object(depth)
		}
		return d.array(depth)
	case '"':
		return d.str(false)
	case 't':
		return d.literal("true")
	case 'f':
		return d.literal("false")
	case 'n':
		return d.literal("null")
	default:
		return d.number()
	}
}

func (d *document) object(depth int) error {
	self := d.open('{')
	d.at++
	for d.space(); d.peek() != '}'; {
		if d.peek() != '"' {
			return d.fail("unexpected %s, want a member name in quotes", d.seen())
		}
		if err := d.str(true); err != nil {
			return err
		}
		d.space()
		if d.peek() != ':' {
			return d.fail("unexpected %s, want ':'", d.seen())
		}
		d.at++
		d.space()
		if err := d.value(depth); err != nil {
			return err
		}
		if err := d.comma('}'); err != nil {
			return err
		}
	}
	d.at++
	d.shut(self)
	return d.distinct(self)
}

func (d *document) array(depth int) error {
	self := d.open('[')
	d.at++
	for d.space(); d.peek() != ']'; {
		if err := d.value(depth); err != nil {
			return err
		}
		if err := d.comma(']'); err != nil {
			return err
		}
	}
	d.at++
	d.shut(self)
	return nil
}

// comma reads what may stand after a member or element: a comma and something else, or (left unread) the end.
func (d *document) comma(end byte) error {
	d.space()
	switch d.peek() {
	case end:
		return nil
	case ',':
		d.at++
		d.space()
		if d.peek() != end {
			return nil
		}
	}
	return d.fail("unexpected %s, want ',' or %q", d.seen(), end)
}
