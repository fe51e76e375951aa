package extract

import "unicode/utf8"

func (d *document) literal(word string) error {
	self := d.open(word[0])
	for i := range len(word) {
		if d.peek() != word[i] {
			return d.fail("unexpected %s in the word %s", d.seen(), word)
		}
		d.at++
	}
	d.shut(self)
	return nil
}

func (d *document) number() error {
	self := d.open('0')
	if d.peek() == '-' {
		d.at++
	}
	if d.peek() == '0' {
		d.at++
	} else if err := d.digits("a value"); err != nil {
		return err
	}
	if d.peek() == '.' {
		d.at++
		if err := d.digits("a digit"); err != nil {
			return err
		}
	}
	if c := d.peek(); c == 'e' || c == 'E' {
		d.at++
		if c := d.peek(); c == '+' || c == '-' {
			d.at++
		}
		if err := d.digits("a digit"); err != nil {
			return err
		}
	}
	d.shut(self)
	return nil
}

// digits reads at least one digit.
func (d *document) digits(want string) error {
	first := d.at
	for c := d.peek(); '0' <= c && c <= '9'; c = d.peek() {
		d.at++
	}
	if d.at == first {
		return d.fail("unexpected %s, want %s", d.seen(), want)
	}
	return nil
}

// str reads a string, of which the opening quote is the next byte.
func (d *document) str(name bool) error {
	self := d.open('"')
	text, at := d.text, d.at+1
	plain, ascii := true, true
	for ; at < len(text) && text[at] != '"'; at++ {
		switch c := text[at]; {
		case c == '\\':
			plain = false
			size := escape(text[at:])
			if size == 0 {
				d.at = at
				return d.fail("unknown or cut escape in a string")
			}
			at += size - 1
		case c < ' ':
			d.at = at
			return d.fail("unescaped control character 0x%02x in a string", c)
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	d.at = at
	if at >= len(text) {
		return d.fail("unexpected end of the text in a string")
	}
	d.at++
	t := &d.tokens[self]
	t.name, t.plain = name, plain && (ascii || utf8.Valid(text[t.start+1:at]))
	d.shut(self)
	return nil
}

// escape returns how long the escape at the start of text is, 0 when it is none.
func escape(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		for i := 2; i < 6; i++ {
			if i >= len(text) || !hexDigit(text[i]) {
				return 0
			}
		}
		return 6
	}
	return 0
}

func hexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
