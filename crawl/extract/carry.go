package extract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"dogear/schema"
)

// maxCarry is how much a link may take along, as JSON. In bytes.
const maxCarry = 64 << 10

// carry is a Carry made ready.
type carry struct {
	table   *schema.Table
	sources []source
}

func compileCarry(c Carry, each []*selector) (carry, error) {
	if c.Table == nil {
		return carry{}, nil
	}
	made := carry{table: c.Table}
	if len(c.Sources) != len(c.Table.Fields) {
		return made, fmt.Errorf("carry: %d sources for %d names", len(c.Sources), len(c.Table.Fields))
	}
	for i, s := range c.Sources {
		from, err := compileSource(s)
		if err == nil {
			err = from.fits(each)
		}
		if err != nil {
			return made, fmt.Errorf("carry %q: %w", c.Table.Fields[i].Name, err)
		}
		made.sources = append(made.sources, from)
	}
	return made, nil
}

// read returns what a link takes along that was found in e: see schema.Request.
func (c *carry) read(v *view, e element) (string, error) {
	if c.table == nil {
		return "", nil
	}
	raw := make([]schema.Raw, len(c.sources))
	for i := range c.sources {
		raw[i] = c.sources[i].read(v, e)
		v.take(len(raw[i].Text))
	}
	row, _ := c.table.Clean(raw, v.base)
	given := make(map[string]string, len(raw))
	for i := range c.table.Fields {
		if text, ok := row.Values[i].(string); ok && text != "" {
			given[carryPrefix+c.table.Fields[i].Name] = text
		}
	}
	return handed(given)
}

// handed writes down what is given to a page; "" when it is nothing.
func handed(given map[string]string) (string, error) {
	if len(given) == 0 {
		return "", nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(given); err != nil {
		return "", fmt.Errorf("carry: %w", err)
	}
	if b.Len() > maxCarry {
		return "", fmt.Errorf("carry: a link would take %d bytes along, and %d is the most", b.Len(), maxCarry)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// given returns what the page was given on the way, by the names that meta has for it. What is no JSON object of texts
// was written by somebody else, and is nothing.
func (v *view) given() map[string]string {
	if v.took == nil {
		v.took = map[string]string{}
		if v.page.Carry != "" {
			_ = json.Unmarshal([]byte(v.page.Carry), &v.took)
		}
	}
	return v.took
}

// onward is what the next page of the same kind is given: all that this one was, and the parameters of its start,
// which nobody could find out from a URL that no start has.
func (v *view) onward() (string, error) {
	if len(v.page.Params) == 0 {
		return v.page.Carry, nil
	}
	all := map[string]string{}
	maps.Copy(all, v.given())
	for name, value := range v.page.Params {
		if _, known := all[paramPrefix+name]; !known {
			all[paramPrefix+name] = value
		}
	}
	return handed(all)
}
