package practice

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
)

// api is the JSON below /v1/ but for the products.
func (s *Site) api(dst []byte, r *http.Request) answer {
	switch q := r.URL.Query(); r.URL.Path {
	case eventsPath:
		return s.events(dst, q, EventCursor)
	case feedPath:
		return s.events(dst, q, func(n int64) string { return FeedPath(n/EventItems + 1) })
	case endlessPath:
		return endless(dst, q)
	case lookupPath:
		return s.lookup(dst, r)
	}
	return missing(dst)
}

// lookup answers POST {"id": "7"}, or the form id=7, with product 7.
func (s *Site) lookup(dst []byte, r *http.Request) answer {
	if r.Method != http.MethodPost {
		a := refusal(dst, http.StatusMethodNotAllowed, "POST an id")
		a.allow = []string{http.MethodPost}
		return a
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return refusal(dst, http.StatusBadRequest, err.Error())
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // "" is refused like any other
	id, status := lookupID(kind, body)
	if status != http.StatusOK {
		return refusal(dst, status, `send {"id": "…"} as application/json, or the form id=…`)
	}
	return s.product(dst, id)
}

// lookupID reads the id that a body of this kind asks for, or the status that
// refuses it.
func lookupID(kind string, body []byte) (id string, status int) {
	switch kind {
	case "application/json":
		var asked struct{ ID *string }
		if json.Unmarshal(body, &asked) != nil || asked.ID == nil {
			return "", http.StatusBadRequest
		}
		return *asked.ID, http.StatusOK
	case "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(body))
		if err != nil || !form.Has("id") {
			return "", http.StatusBadRequest
		}
		return form.Get("id"), http.StatusOK
	}
	return "", http.StatusUnsupportedMediaType
}
