package draft

import (
	"regexp"
	"slices"
	"strings"

	"dogear/schema"
)

// maxFields is how many fields a draft has at most; nobody reads more.
const maxFields = 80

// idNames are the members that tell a thing from others, as snake names them.
var idNames = []string{"id", "uuid", "guid", "uid", "sku", "isbn", "asin", "slug", "key"}

// members makes fields of all members of the records, in the order in which they are met.
func (o *outline) members(records []*value) {
	n := o.names()
	if len(records) > 0 && !slices.ContainsFunc(records, func(r *value) bool { return r.kind == '{' }) {
		o.member(n, "value", "$", records) // [1, 2, 3], or one value alone
		return
	}
	names, all := gather(records)
	for _, name := range names {
		path := step("$", name)
		given := present(all[name])
		if len(given) == 0 || slices.ContainsFunc(given, func(v *value) bool { return v.kind != '{' }) {
			o.member(n, name, path, all[name])
			continue
		}
		inner, parts := gather(given)
		for _, child := range inner {
			o.member(n, name+"_"+child, step(path, child), parts[child])
		}
	}
	if o.left > 0 {
		o.hint("There are " + number(o.left) + " members more that no field is for.")
	}
}

// usable says whether a member's name can stand in a path of the job file.
func usable(name string) bool { return writable(name) && len(name) <= 200 }

// gather returns the members of objects: their names in order, those that can be written, and all values of each.
func gather(objects []*value) (names []string, all map[string][]*value) {
	all = map[string][]*value{}
	for _, r := range objects {
		for i, name := range r.names {
			if !usable(name) {
				continue
			}
			if _, known := all[name]; !known {
				names = append(names, name)
			}
			all[name] = append(all[name], r.items[i])
		}
	}
	return names, all
}

// present leaves the nulls out.
func present(values []*value) []*value {
	return slices.DeleteFunc(slices.Clone(values), func(v *value) bool { return v.kind == 'n' })
}

// member makes one field.
func (o *outline) member(n *namer, name, path string, values []*value) {
	if len(o.fields) == maxFields {
		o.left++
		return
	}
	f := field{name: n.member(name), json: path}
	given := present(values)
	if len(given) == 0 {
		f.note = "null on that page"
	} else {
		f.typ, f.note = guessJSON(f.name, given), example(given[0].shown())
	}
	o.fields = append(o.fields, f)
}

// member names a field after a member; one without a Latin letter in it is field_1, field_2 and so on.
func (n *namer) member(name string) string {
	if snake(name) == "" {
		return n.numbered("field")
	}
	return n.name(name)
}

var (
	isoDate   = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	isoMoment = regexp.MustCompile(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$`)
	webLink   = regexp.MustCompile(`^https?://[^\s]+$`)
	rootLink  = regexp.MustCompile(`^/[^\s]*$`)
	linkName  = regexp.MustCompile(`(^|_)(url|href|link|uri|image|thumbnail|avatar|permalink)$`)
)

// guessJSON is the type of a member from all of its values, none of them null. What stands in quotes is a number to
// nobody: it may be a code.
func guessJSON(name string, values []*value) schema.Type {
	kinds := map[byte]bool{}
	var texts []schema.Raw
	for _, v := range values {
		kinds[v.kind] = true
		texts = append(texts, v.raw())
	}
	switch {
	case kinds['{'] || kinds['[']:
		return schema.Type{Kind: schema.JSON}
	case len(kinds) > 1:
		return schema.Type{}
	case kinds['t']:
		return schema.Type{Kind: schema.Bool}
	case kinds['0']:
		return guessNumber(name, texts)
	}
	return guessString(name, texts)
}

func guessNumber(name string, texts []schema.Raw) schema.Type {
	exponent := slices.ContainsFunc(texts, func(r schema.Raw) bool { return strings.ContainsAny(r.Text, "eE") })
	typ := numberType(texts, "", money.MatchString(name))
	switch real := (schema.Type{Kind: schema.Real}); {
	case !exponent && fits(widest, "", texts) && fits(typ, "", texts):
		return typ
	case fits(real, "", texts):
		return real
	}
	return schema.Type{}
}

func guessString(name string, texts []schema.Raw) schema.Type {
	all := func(patterns ...*regexp.Regexp) bool {
		return !slices.ContainsFunc(texts, func(r schema.Raw) bool {
			return !slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(r.Text) })
		})
	}
	typ := schema.Type{}
	switch {
	case all(isoDate):
		typ.Kind = schema.Date
	case all(isoDate, isoMoment):
		typ.Kind = schema.Datetime
	case all(webLink), linkName.MatchString(name) && all(webLink, rootLink):
		typ.Kind = schema.URL
	}
	if typ.Kind != schema.Text && !fits(typ, "", texts) {
		return schema.Type{}
	}
	return typ
}

// jsonKey picks the member that is another one in each record: one that is called like an id, or the first when its
// name ends like one, else its link.
func (o *outline) jsonKey(records []*value) {
	links := []string{"url", "href", "link", "permalink"}
	for i, f := range o.fields {
		last := f.name[strings.LastIndex(f.name, "_")+1:]
		if !slices.Contains(idNames, f.name) && !(i == 0 && slices.Contains(idNames, last)) {
			continue
		}
		if direct := strings.TrimPrefix(f.json, "$."); distinct(records, direct) {
			o.key = f.name
			return
		}
	}
	for _, f := range o.fields {
		link := o.each != "" && f.typ.Kind == schema.URL && slices.Contains(links, f.name)
		if link && distinct(records, strings.TrimPrefix(f.json, "$.")) {
			o.key = f.name
			return
		}
	}
}

// distinct says whether a member is there in every record and nowhere twice.
func distinct(records []*value, name string) bool {
	seen := map[string]bool{}
	for _, r := range records {
		v := r.member(name)
		if v == nil || v.kind != '"' && v.kind != '0' || v.text == "" || seen[v.text] {
			return false
		}
		seen[v.text] = true
	}
	return len(records) > 0
}
