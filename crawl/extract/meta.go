package extract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dogear/schema"
)

// What a page is given on the way: the parameters of its start, and what the link to it took along.
const (
	paramPrefix = "param."
	carryPrefix = "carry."
)

var metaNames = []string{"url", "final_url", "status", "fetched_at"}

func checkMeta(name string) error {
	if slices.Contains(metaNames, name) {
		return nil
	}
	for _, prefix := range []string{paramPrefix, carryPrefix} {
		if strings.HasPrefix(name, prefix) && name != prefix {
			return nil
		}
	}
	return fmt.Errorf("meta %q: want %s, %sNAME or %sNAME", name, strings.Join(metaNames, ", "), paramPrefix, carryPrefix)
}

func (v *view) meta(name string) schema.Raw {
	raw := schema.Raw{Found: true}
	switch name {
	case "url":
		raw.Text = v.page.RequestURL
	case "final_url":
		raw.Text = v.page.URL
	case "status":
		raw.Text = strconv.Itoa(v.page.Status)
	case "fetched_at":
		raw.Text = v.fetchedAt()
	default:
		raw.Text, raw.Found = v.given()[name]
		if param, ok := strings.CutPrefix(name, paramPrefix); ok && !raw.Found {
			raw.Text, raw.Found = v.page.Params[param]
		}
	}
	return raw
}
