package job

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// shroudMark stands on both sides of what takes the place of a secret in a page that is kept. No byte of UTF-8 is it,
// so that no page can write it: a ${NAME} of its own stays what it is.
const shrouded, shroudMark = 0xff, "\xff"

// shrouds knows the values of the ${NAME}s that are sent with requests: in URLs, in bodies and in headers. The zero
// value knows none.
type shrouds struct {
	hide  *strings.Replacer
	forms []string            // what hide looks for
	refs  map[string][]string // the forms of each value, by its ${NAME} as written; the first is the value itself
}

func newShrouds(kept ...map[string]part) shrouds {
	s := shrouds{refs: map[string][]string{}}
	marks := map[string]string{} // by form
	for _, secrets := range kept {
		for _, ref := range slices.Sorted(maps.Keys(secrets)) {
			p := secrets[ref]
			if !p.outside || utf8.RuneCountInString(p.text) < minHidden || s.refs[ref] != nil {
				continue
			}
			s.refs[ref] = append([]string{p.text}, escapedForms(p.text)...)
			for i, form := range s.refs[ref] {
				if marks[form] == "" {
					marks[form] = shroudMark + strconv.Itoa(i) + ref + shroudMark
				}
			}
		}
	}
	s.forms = slices.SortedFunc(maps.Keys(marks), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) // a value may begin with another one
	})
	var pairs []string
	for _, form := range s.forms {
		pairs = append(pairs, form, marks[form])
	}
	s.hide = strings.NewReplacer(pairs...)
	return s
}

// headerSecrets are the ${NAME}s in those headers of a request whose names are wanted, by their text as written.
func headerSecrets(request *node, wanted func(name string) bool) map[string]part {
	secrets := map[string]part{}
	if request == nil {
		return secrets
	}
	if headers := request.value("headers"); headers != nil {
		for _, e := range headers.entries {
			for _, p := range e.value.parts {
				if p.ref != "" && wanted(e.key.text) {
					secrets[p.ref] = p
				}
			}
		}
	}
	return secrets
}

func anyHeader(string) bool { return true }

// tellsWho leaves out the headers that say what is asked for and with what, which hold no secrets: a language or a host
// of theirs may stand in any record, and must stay there.
func tellsWho(header string) bool {
	name := strings.ToLower(header)
	for _, plain := range []string{"accept", "content-", "user-agent", "cache-control", "pragma", "origin", "referer", "if-"} {
		if strings.HasPrefix(name, plain) {
			return false
		}
	}
	return true
}

// HidePage takes the secrets that were sent with the request out of a page that answered it, UTF-8 as the rules saw
// it, so that it can be kept. A byte that is not UTF-8 becomes U+FFFD if it could be taken for a mark of this.
// FillPage undoes it.
func (j *Job) HidePage(body []byte) []byte {
	if bytes.IndexByte(body, shrouded) >= 0 {
		body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	holds := func(form string) bool { return bytes.Contains(body, []byte(form)) }
	if !slices.ContainsFunc(j.shrouds.forms, holds) {
		return body
	}
	return []byte(j.shrouds.hide.Replace(string(body)))
}

// FillPage puts the values that the ${NAME}s have now into a page that HidePage made, in the form that they had in it.
// One that the job no longer has is put in as written, and so is harmless.
func (j *Job) FillPage(kept []byte) []byte {
	if bytes.IndexByte(kept, shrouded) < 0 {
		return kept
	}
	var out bytes.Buffer
	for i, stretch := range strings.Split(string(kept), shroudMark) {
		if i%2 == 1 {
			stretch = j.shrouds.fill(stretch)
		}
		out.WriteString(stretch)
	}
	return out.Bytes()
}

// fill is the value that a mark stands for.
func (s shrouds) fill(mark string) string {
	digits := strings.IndexByte(mark, '$')
	if digits < 0 {
		return mark // damaged
	}
	forms := s.refs[mark[digits:]]
	n, err := strconv.Atoi(mark[:digits])
	switch {
	case len(forms) == 0:
		return mark[digits:]
	case err != nil || n < 0 || n >= len(forms):
		return forms[0]
	}
	return forms[n]
}
