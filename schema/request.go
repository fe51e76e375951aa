package schema

import (
	"crypto/sha256"
	"encoding/hex"
)

// Request is one request to make: what a start yields and what a link on a page asks for.
type Request struct {
	URL    string // fetched as given; only Key normalises it
	Page   string // the kind of page that it brings
	Method string // "" means GET; as given, since methods are case-sensitive (RFC 9110, section 9.1)
	Body   string
	Carry  string // values for its page, a JSON object of texts by name; "" when there are none. No part of the key
}

// Key returns the identity of the request, by which a task is known: method and normalised URL ("GET https://…"), and
// for a request with a body half a SHA-256 of it in hex as well, so that two POSTs to one URL are two tasks.
func (r Request) Key() string {
	method := r.Method
	if method == "" {
		method = "GET"
	}
	key := method + " " + KeyURL(r.URL)
	if r.Body == "" {
		return key
	}
	sum := sha256.Sum256([]byte(r.Body))
	return key + " " + hex.EncodeToString(sum[:16])
}
