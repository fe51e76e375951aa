package job

import (
	"fmt"
	"slices"
	"strings"

	"dogear/schema"
)

// valueMark is where the value goes in the url of next.
const valueMark = "{value}"

// next reads where the page after one is: a selector of the link, or a map with more to it; nil after a problem.
func (l *loader) next(n *node) *Next {
	x := &Next{Within: WithinHost}
	switch n.kind {
	case list:
		l.at(n, "next is one selector or a map, not a list: a page has one that comes after it (follow takes a list of links)")
		return nil
	case dict:
	default:
		source, ok := l.short(n, "next")
		l.someElement(source, n)
		x.Source = source
		return ifSound(x, ok)
	}
	mark := l.mark()
	m, source := l.long(&nextKeys, n, n, []string{"css", "json"})
	x.Source = source
	l.someElement(source, m["css"])
	if n := m["within"]; n != nil {
		x.Within, _ = l.choice(n, "within", WithinHost, WithinDomain, WithinAny)
		if m["url"] != nil {
			l.at(n, "within is for links that the page names; url says itself where it leads")
		}
	}
	if n := m["url"]; n != nil {
		x.URL = l.nextURL(n)
	}
	return ifSound(x, l.quietSince(mark))
}

func ifSound(x *Next, sound bool) *Next {
	if !sound {
		return nil
	}
	return x
}

// nextURL reads the URL that a value is put into, as the pieces around the value. A ${NAME} is filled in; where a URL
// carries secrets Job.Hide will know it (see keep).
func (l *loader) nextURL(n *node) []string {
	if _, ok := l.text(n, "url"); !ok {
		return nil
	}
	parts := n.parts
	if parts == nil {
		parts = []part{{text: n.text}}
	}
	pieces := []string{""}
	for _, p := range parts {
		texts := []string{p.text}
		if p.ref == "" { // braces count only in the job file
			texts = strings.Split(p.text, valueMark)
			if at := slices.IndexFunc(texts, func(s string) bool { return strings.ContainsAny(s, "{}") }); at >= 0 {
				l.at(n, "the only braces in the url of next are %s; write %%7B and %%7D for braces themselves", valueMark)
				return nil
			}
		}
		pieces[len(pieces)-1] += texts[0]
		pieces = append(pieces, texts[1:]...)
	}
	if len(pieces) == 1 {
		l.at(n, "the url of next has no %s in it, so it would be the same for every page", valueMark)
		return nil
	}
	if err := checkNext(pieces); err != nil {
		l.badValue(n, err)
		return nil
	}
	l.keepSecrets(parts)
	return pieces
}

// somePage stands for the page that a relative URL is resolved against.
const somePage = "https://page.example/path/page"

// checkNext holds the URLs that come of it against what a request needs. Values differ in them, so they must not be where
// nothing is asked for: in the host, or behind #.
func checkNext(pieces []string) error {
	made := func(value string) (string, error) { return schema.Resolve(somePage, strings.Join(pieces, value)) }
	one, err := made("1")
	if err != nil {
		return fmt.Errorf("url is a URL with http:// or https:// in front, or one relative to the page: %w", err)
	}
	two, err := made("2")
	if err != nil || hostOf(one) != hostOf(two) {
		return fmt.Errorf("%s stands in the path or the query of a url, not in its host", valueMark)
	}
	if one == two {
		return fmt.Errorf("the url asks for the same whatever %s is (what stands behind a # is never sent)", valueMark)
	}
	return nil
}

// hostOf returns scheme, userinfo, host and port of a resolved URL.
func hostOf(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	end := len(rest)
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		end = i
	}
	return scheme + "://" + rest[:end]
}

// keepSecrets remembers the variables that stand where a URL carries secrets: Job.Hide takes them out of what is stored.
func (l *loader) keepSecrets(parts []part) {
	var way []stretch
	for _, p := range parts {
		way = append(way, stretch{p.text, p.ref != ""})
	}
	for i, secret := range private(way) {
		if secret {
			l.secrets[parts[i].ref] = parts[i]
		}
	}
}
