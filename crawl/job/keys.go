package job

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xrash/smetrics"
)

// keys lists what a map of the job file may hold. The JSON Schema has a definition of the same name for each.
type keys struct {
	name  string   // of the definition in the JSON Schema; "job" is the file itself
	where string   // for messages
	known []string // what this version reads
}

var (
	pageKeys = keys{name: "page", where: "a page", known: []string{"records", "follow", "next", "expect", "keep"}}

	jobKeys = keys{name: "job", where: "the job file",
		known: slices.Concat([]string{"name", "start", "request", "cookies", "proxies", "rate", "concurrency", "retry", "pages", "limits", "robots"}, pageKeys.known)}

	startKeys   = keys{name: "start", where: "a start", known: []string{"url", "from", "order", "as", "request"}}
	sitemapKeys = keys{name: "sitemap", where: "a sitemap", known: []string{"sitemap", "as", "match", "since"}}
	rangeKeys   = keys{name: "range", where: "a range", known: []string{"from", "to", "step"}}
	requestKeys = keys{name: "request", where: "request", known: []string{"headers", "timeout", "method", "json", "form"}}
	// Headers and timeout are the same for all requests of a job.
	startRequestKeys = keys{name: "startRequest", where: "the request of a start", known: []string{"method", "json", "form"}}
	rateKeys         = keys{name: "rate", where: "rate", known: []string{"limit", "burst", "limiter"}}
	concurrencyKeys  = keys{name: "concurrency", where: "concurrency", known: []string{"min", "max"}}
	retryKeys        = keys{name: "retry", where: "retry", known: []string{"attempts", "delay", "max_delay", "max_wait"}}
	limitsKeys       = keys{name: "limits", where: "limits", known: []string{"body", "depth", "tasks", "failures"}}
	recordsKeys      = keys{name: "records", where: "records", known: []string{"each", "table", "key", "fields"}}
	fieldKeys        = keys{name: "field", where: "a field",
		known: []string{"css", "json", "meta", "value", "up", "take", "join", "type", "required", "default", "match", "remove", "min", "max", "clamp", "in", "decimal", "layout"}}
	eachKeys    = keys{name: "each", where: "each", known: []string{"css", "json"}}
	carriedKeys = keys{name: "carried", where: "carry", known: []string{"css", "json", "meta", "value", "up", "take", "join", "match", "remove"}}
	followKeys  = keys{name: "follow", where: "follow", known: []string{"each", "css", "json", "as", "carry", "match", "within", "depth"}}
	nextKeys    = keys{name: "next", where: "next", known: []string{"css", "json", "url", "within"}}
	expectKeys  = keys{name: "expect", where: "expect", known: []string{"status", "contains", "absent", "records"}}
)

// startWords are the words of a start; any other key of it is a parameter.
var startWords = []string{"url", "from", "sitemap", "order", "as", "request"}

// allKeys is every table, for the hint where a key belongs.
var allKeys = []*keys{&jobKeys, &pageKeys, &startKeys, &rangeKeys, &requestKeys, &startRequestKeys, &rateKeys, &concurrencyKeys, &retryKeys, &limitsKeys, &recordsKeys, &fieldKeys, &eachKeys, &followKeys, &carriedKeys, &nextKeys, &expectKeys, &sitemapKeys}

// read checks the keys of a map and returns its values by key; nil when n is no map. Reports unknown keys with the
// nearest known one, and keys that stand there twice.
func (k *keys) read(r *report, n *node) map[string]*node {
	if n.kind != dict {
		if n.kind != broken {
			r.at(n, "%s is a map with the keys %s, not %s", k.where, strings.Join(k.known, ", "), n.what())
		}
		return nil
	}
	values := make(map[string]*node, len(n.entries))
	for i, e := range n.entries {
		switch name := e.key.text; {
		case r.again(values, e):
		case slices.Contains(k.known, name):
			values[name] = e.value
		case i > 0 && r.cutByComma(n, i):
		default:
			r.at(e.key, "unknown key %q%s", shorten(name), k.hint(name))
		}
	}
	return values
}

// again reports a key that its map has already: YAML readers differ in which one they take.
func (r *report) again(values map[string]*node, e entry) bool {
	if _, twice := values[e.key.text]; !twice {
		return false
	}
	r.at(e.key, "duplicate key %q: it stands in this map already", shorten(e.key.text))
	return true
}

// cutByComma reports {type: decimal(3,1)}: YAML ends the value at the comma and takes "1)" for a key.
func (r *report) cutByComma(n *node, i int) bool {
	e, before := n.entries[i], n.entries[i-1]
	if !n.flow || e.value.kind != null || before.value.kind != scalar || !before.value.plain {
		return false
	}
	head := before.value.raw
	if strings.Count(head, "(") <= strings.Count(head, ")") || !strings.Contains(e.key.text, ")") {
		return false
	}
	whole := head + "," + e.key.text
	r.at(before.value, "a comma inside braces ends the value, so YAML read only %q; put it in quotes: %s: %q", shorten(head), shorten(before.key.text), shorten(whole))
	before.value.kind = broken // what is left of the value is no second problem
	return true
}

// hint says what an unknown key was meant to be: the nearest key of this map, or where the key belongs.
func (k *keys) hint(name string) string {
	near := nearest(name, k.known)
	if near == "" {
		for _, other := range allKeys {
			if slices.Contains(other.known, name) {
				return "; it belongs into " + other.where
			}
		}
		return "; known are " + strings.Join(k.known, ", ")
	}
	return ", did you mean \"" + near + "\"?"
}

// nearest returns the candidate with the smallest edit distance; "" when none is near enough to be meant.
func nearest(name string, candidates []string) string {
	best, least := "", 0
	if len(name) > 60 {
		return ""
	}
	for _, c := range candidates {
		d := smetrics.WagnerFischer(strings.ToLower(name), strings.ToLower(c), 1, 1, 1)
		if d <= max(1, min(len(c), len(name))/2) && d <= 3 && (best == "" || d < least) {
			best, least = c, d
		}
	}
	return best
}

// meant is the end of a message about a word that is none of the candidates. A word filled in from ${NAME} is not
// compared: the answer would tell something about it.
func meant(n *node, candidates []string) string {
	if len(n.filled) > 0 {
		return ""
	}
	near := nearest(n.raw, candidates)
	if near == "" {
		return ""
	}
	return ", did you mean " + strconv.Quote(near) + "?"
}
