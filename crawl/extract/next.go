package extract

import (
	"errors"
	"fmt"
	"strings"

	"dogear/schema"
)

// next is a Next made ready.
type next struct {
	from   source
	url    []string
	within string
}

// valueMark is where the value goes in the URL, in messages.
const valueMark = "{value}"

func compileNext(n *Next) (*next, error) {
	if n == nil {
		return nil, nil
	}
	from, err := compileSource(n.Source)
	if err != nil {
		return nil, fmt.Errorf("next: %w", err)
	}
	if from.sel == nil || from.join != nil {
		return nil, errors.New("next: it comes from css or json")
	}
	if err := from.fits(nil); err != nil {
		return nil, fmt.Errorf("next: %w", err)
	}
	c := &next{from: from, url: n.URL, within: n.Within}
	if len(c.url) == 1 {
		return nil, fmt.Errorf("next: url %q has no %s in it", c.url[0], valueMark)
	}
	if c.within, err = scope(n.Within); err != nil {
		return nil, fmt.Errorf("next: %w", err)
	}
	return c, nil
}

// link returns the request for the next page, false when this is the last.
func (n *next) link(v *view, kind string) (schema.Request, bool, error) {
	value, err := n.value(v)
	if err != nil || strings.TrimSpace(value) == "" {
		return schema.Request{}, false, err
	}
	url, err := n.resolve(v, value)
	if err != nil || url == "" {
		return schema.Request{}, false, err
	}
	carry, err := v.onward()
	if err != nil {
		return schema.Request{}, false, fmt.Errorf("next: %w", err)
	}
	return schema.Request{URL: url, Page: kind, Carry: carry}, true, nil
}

// value returns the text that leads on, "" when there is none.
func (n *next) value(v *view) (string, error) {
	var first element
	found := false
	err := v.every([]*selector{n.from.sel}, func(e element) {
		if !found {
			first, found = e, true
		}
	})
	switch {
	case err != nil || !found:
		return "", err
	case first.doc != nil:
		return n.fromJSON(first)
	case n.from.attr == "" && n.url == nil:
		return linkOf(first.node), nil
	}
	raw := n.from.fromHTML(v, first.node)
	return raw.Text, nil
}

func (n *next) fromJSON(e element) (string, error) {
	switch kind := e.doc.tokens[e.token].kind; {
	case kind == 'n', kind == 'f':
		return "", nil
	case kind == '"':
		return e.doc.unquote(e.token), nil
	case kind == '0' && n.url != nil:
		return e.doc.compact(e.token), nil
	case kind == '0':
		return "", fmt.Errorf("next: %s is the number %.40s, which is no link: url: \"https://…?page=%s\" says where it goes",
			n.from.String(), e.doc.compact(e.token), valueMark)
	default:
		return "", fmt.Errorf("next: %s is %s, and neither a text nor a number", n.from.String(), jsonKinds[kind])
	}
}

var jsonKinds = map[byte]string{'{': "an object", '[': "an array", 't': "true"}

// resolve makes the URL, "" when the value is a link that is not followed.
func (n *next) resolve(v *view, value string) (string, error) {
	if n.url != nil {
		url, err := schema.Resolve(v.page.URL, strings.Join(n.url, encoded(value)))
		if err != nil {
			return "", fmt.Errorf("next: %w", err)
		}
		return url, nil
	}
	ref := strings.TrimSpace(value)
	if !n.from.sel.ofJSON() && !n.from.sel.script {
		ref = v.sent(ref)
	}
	url, err := schema.Resolve(v.base, ref)
	if err != nil || !within(n.within, schema.KeyURL(v.page.URL), url) {
		return "", nil
	}
	return url, nil
}

// encoded percent-encodes all but the unreserved characters of RFC 3986 (section 2.3), so that a value is one word
// wherever it stands in a URL: a cursor's + would be a space.
func encoded(value string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(value) {
		switch c := value[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}
