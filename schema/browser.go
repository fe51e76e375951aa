package schema

import (
	"errors"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// errURL stands for the parser's own errors, which repeat their input.
var errURL = errors.New("not a valid URL")

// longestURL is more than servers take, and less than a stranger needs to keep the parser busy: its time grows with
// the square of the length.
const longestURL = 16 << 10 // bytes

// parseRef reads ref by the URL Standard, against base if that is a URL, and returns it without its fragment. A
// stranger wrote the text, so a panic of the parser is a fault of the text, not of the run.
func parseRef(base, ref string) (href, scheme string, err error) {
	defer func() {
		if recover() != nil {
			href, scheme, err = "", "", errURL
		}
	}()
	if len(base) > longestURL || len(ref) > longestURL {
		return "", "", errURL
	}
	u, err := whatwg.Parse(base)
	if err == nil {
		u, err = u.Parse(ref)
	} else {
		u, err = whatwg.Parse(ref)
	}
	if err != nil {
		return "", "", errURL
	}
	return u.Href(true), u.Scheme(), nil
}
