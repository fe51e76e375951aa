package schema

import (
	"errors"
	"net/url"
)

// errURL stands for the parser's own errors, which repeat their input.
var errURL = errors.New("not a valid URL")

// parseRef for the time until the module of the real parser is in go.sum.
func parseRef(base, ref string) (href, scheme string, err error) {
	u, err := url.Parse(ref)
	if b, baseErr := url.Parse(base); baseErr == nil && err == nil {
		u = b.ResolveReference(u)
	}
	if err != nil || !u.IsAbs() {
		return "", "", errURL
	}
	u.Fragment = ""
	return u.String(), u.Scheme, nil
}
