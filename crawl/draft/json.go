package draft

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"dogear/schema"
)

// value is a value of a JSON document. kind is the first character that a value of its sort can have, as in
// package extract: { [ " 0 t n. A number keeps the digits it was written with.
type value struct {
	kind  byte
	text  string   // of a scalar
	names []string // of an object's members, in their order
	items []*value // the values of members or elements
}

// readJSON reads a document. As for package extract, a member that occurs twice makes it unreadable.
func readJSON(text []byte) (*value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d, 0)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows after its end")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read json: %w", err)
	}
	return v, nil
}

// maxNesting is how deep arrays and objects may lie in each other, as for package extract.
const maxNesting = 10_000

func readValue(d *json.Decoder, depth int) (*value, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("nested deeper than %d levels", maxNesting)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		return readParts(d, t, depth)
	case string:
		return &value{kind: '"', text: t}, nil
	case json.Number:
		return &value{kind: '0', text: t.String()}, nil
	case bool:
		return &value{kind: 't', text: fmt.Sprint(t)}, nil
	}
	return &value{kind: 'n', text: "null"}, nil
}

func readParts(d *json.Decoder, open json.Delim, depth int) (*value, error) {
	v := &value{kind: byte(open)}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			text, _ := name.(string)
			if seen[text] {
				return nil, fmt.Errorf("the member %q occurs twice in an object", text)
			}
			seen[text] = true
			v.names = append(v.names, text)
		}
		item, err := readValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, item)
	}
	_, err := d.Token() // the closing bracket
	return v, err
}

// member returns a member of an object; nil when there is none.
func (v *value) member(name string) *value {
	for i, n := range v.names {
		if n == name {
			return v.items[i]
		}
	}
	return nil
}

func (v *value) scalar() bool { return v.kind != '{' && v.kind != '[' }

// shown is a value as an example.
func (v *value) shown() string {
	switch v.kind {
	case '{':
		return fmt.Sprintf("an object with %d members", len(v.items))
	case '[':
		var parts []string
		for _, item := range v.items[:min(len(v.items), 10)] {
			if !item.scalar() {
				return fmt.Sprintf("a list of %d", len(v.items))
			}
			parts = append(parts, item.text)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return v.text
}

func (v *value) raw() schema.Raw { return schema.Raw{Text: v.text, Found: true, JSON: true} }

var shorthand = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// step is a path with one member more (RFC 9535); the name is writable.
func step(path, name string) string {
	if shorthand.MatchString(name) {
		return path + "." + name
	}
	return path + "['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(name) + "']"
}

// fromJSON makes the records of a JSON page.
func (o *outline) fromJSON(p Page) error {
	root, err := readJSON(p.Body)
	if err != nil {
		return err
	}
	l := findList(root)
	o.each, o.count = l.path, len(l.records)
	if l.path == "" {
		o.count = 0
	}
	o.members(l.records)
	if len(o.fields) == 0 {
		return ErrNothing
	}
	o.jsonKey(l.records)
	o.cursor(p, root)
	o.ids(p.URL)
	return nil
}
