package extract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dogear/schema"
)

const paramPrefix = "param."

var metaNames = []string{"url", "final_url", "status", "fetched_at"}

func checkMeta(name string) error {
	if slices.Contains(metaNames, name) || strings.HasPrefix(name, paramPrefix) && name != paramPrefix {
		return nil
	}
	return fmt.Errorf("meta %q: want %s or %sNAME", name, strings.Join(metaNames, ", "), paramPrefix)
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
		raw.Text, raw.Found = v.page.Params[strings.TrimPrefix(name, paramPrefix)]
	}
	return raw
}
