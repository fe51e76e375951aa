package job

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// minHidden is the length, in characters, of the shortest value that Hide looks for: shorter ones stand in every other text.
const minHidden = 4

// disguise knows the values of the ${NAME}s that the URLs of starts keep as written, and of those that are sent with
// requests otherwise, which a page may repeat. The zero value knows none.
type disguise struct {
	fill, hide *strings.Replacer
	json, form *strings.Replacer // fill, for bodies
}

// Fill puts the values known at load in the place of the ${NAME}s that a start keeps in its URL (see Start). A ${NAME} that a
// page wrote must have been made harmless before: it could link to http://evil.example/?${NAME}. The result must not be stored.
func (j *Job) Fill(url string) string { return j.disguise.put(url) }

// FillBody is Fill for the body of a task.
func (j *Job) FillBody(body string) string {
	fill := j.disguise.form
	if contentType(body) == "application/json" {
		fill = j.disguise.json
	}
	if fill == nil {
		return body
	}
	return fill.Replace(body)
}

// ContentType says what the body of a task is, as a header does; "" when there is none.
func (j *Job) ContentType(body string) string { return contentType(body) }

func (d disguise) put(url string) string {
	if d.fill == nil {
		return url
	}
	return d.fill.Replace(url)
}

// Hide undoes Fill in any text: values that came from outside the job file, at least four characters long, become the
// ${NAME} that they stand for, also where a URL has them percent-encoded.
func (j *Job) Hide(text string) string {
	if j.disguise.hide == nil {
		return text
	}
	return j.disguise.hide.Replace(text)
}

// HideURL is Hide for a whole URL: scheme, host and port stay as they are, they hold no secret and the URL must lead there.
func (j *Job) HideURL(url string) string {
	if j.disguise.hide == nil {
		return url
	}
	scheme, rest, whole := strings.Cut(url, "://")
	if !whole {
		return j.Hide(url)
	}
	end := len(rest)
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		end = i
	}
	host := strings.LastIndexByte(rest[:end], '@') + 1
	return scheme + "://" + j.Hide(rest[:host]) + rest[host:end] + j.Hide(rest[end:])
}

// newDisguise makes the disguise of the references that were kept in URLs, that were kept in bodies, and of the secret
// ones of headers, by their text as written.
func newDisguise(kept, inBodies, inHeaders map[string]part) disguise {
	if len(kept)+len(inBodies)+len(inHeaders) == 0 {
		return disguise{}
	}
	all := map[string]part{}
	for _, secrets := range []map[string]part{inHeaders, inBodies, kept} {
		maps.Copy(all, secrets)
	}
	var fill []string
	for _, ref := range slices.Sorted(maps.Keys(all)) {
		text := all[ref].text
		if _, written := kept[ref]; !written { // it came with a link of a page, in whatever form
			text = escape(text, notLiteral)
		}
		fill = append(fill, ref, text)
	}
	return disguise{
		fill: strings.NewReplacer(fill...), hide: hider(all), json: inJSON.fill(inBodies), form: inForm.fill(inBodies),
	}
}

// notLiteral is what has a meaning in some part of a URL.
const notLiteral = "\"<>#?`{}^/:;=@[\\]|%&+!$'()*,"

// hider puts references in the place of values in any text, in all forms that these have in URLs.
func hider(secrets map[string]part) *strings.Replacer {
	hidden := map[string]string{} // value -> reference
	for _, ref := range slices.Sorted(maps.Keys(secrets)) {
		p := secrets[ref]
		if !p.outside || utf8.RuneCountInString(p.text) < minHidden {
			continue
		}
		for _, form := range append(escapedForms(p.text), p.text) {
			if _, twice := hidden[form]; !twice {
				hidden[form] = ref
			}
		}
	}
	longest := slices.SortedFunc(maps.Keys(hidden), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) // a value may begin with another one
	})
	var hide []string
	for _, form := range longest {
		hide = append(hide, form, hidden[form])
	}
	return strings.NewReplacer(hide...)
}

// fill puts values into a body.
func (e encoding) fill(kept map[string]part) *strings.Replacer {
	var pairs []string
	for _, ref := range slices.Sorted(maps.Keys(kept)) {
		pairs = append(pairs, e.reference(ref), e.encode(kept[ref].text))
	}
	return strings.NewReplacer(pairs...)
}

// escapedForms returns the ways in which a text can come back from a URL, other than as it is: the parts of a URL differ in
// what they escape, and so do Go and browsers.
func escapedForms(text string) []string {
	var forms []string
	for _, form := range []string{
		url.QueryEscape(text), url.PathEscape(text), strings.ReplaceAll(url.QueryEscape(text), "+", "%20"),
		strings.TrimPrefix(url.User(text).String(), "//"),
		jsonEscape(text), escape(text, ""), escape(text, "\"<>'"), escape(text, "\"<>#?`{}^"), escape(text, "\"<>#?`{}^/:;=@[\\]|"),
	} {
		for _, form := range []string{form, lowerEscapes(form)} {
			if form != text && !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// escape percent-encodes what no URL may have, and the characters of special: https://url.spec.whatwg.org/#percent-encoded-bytes
func escape(text, special string) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for i := range len(text) {
		if c := text[i]; c > ' ' && c < 0x7f && strings.IndexByte(special, c) < 0 {
			out.WriteByte(c)
		} else {
			out.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return out.String()
}

// lowerEscapes writes %2F as %2f.
func lowerEscapes(text string) string {
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(text[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}
