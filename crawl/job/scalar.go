package job

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// text returns a scalar's text, whatever YAML took it for: 1.10 and 007 keep their characters. what names the value for
// the message when it is no scalar.
func (r *report) text(n *node, what string) (string, bool) {
	switch n.kind {
	case scalar:
		return n.text, true
	case null:
		r.nothing(n, what)
	case list, dict:
		r.at(n, "%s is text, not %s", what, n.what())
	}
	return "", false
}

var hashInLine = regexp.MustCompile(`^[^#]*\s(#[^\s#]\S*)`)

// nothing reports a value that is missing; often one that begins with #, which is a comment to YAML.
func (r *report) nothing(n *node, what string) {
	line := []rune(r.line(n.line))
	if n.col <= len(line) {
		rest := string(line[n.col-1:])
		if at := hashInLine.FindStringSubmatchIndex(rest); at != nil {
			hash := rest[at[2]:at[3]]
			r.add(n.line, n.col-1+column(rest, at[2]), "%q is a comment to YAML, so %s has no value; put it in quotes: %q", shorten(hash), what, shorten(hash))
			return
		}
	}
	r.at(n, "%s has no value", what)
}

// integer reads a whole number within bounds, included.
func (r *report) integer(n *node, what string, least, most int64) (int64, bool) {
	text, ok := r.text(n, what)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || v < least || v > most {
		upto := fmt.Sprintf("to %d", most)
		if most >= math.MaxInt32 {
			upto = "up"
		}
		r.at(n, "%s is a whole number from %d %s, not %s", what, least, upto, n.quote())
		return 0, false
	}
	return v, true
}

// boolean reads true or false. yes, no, on and off are that in old YAML only.
func (r *report) boolean(n *node, what string) bool {
	text, ok := r.text(n, what)
	if !ok {
		return false
	}
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	hint := ""
	switch strings.ToLower(n.raw) {
	case "yes", "on", "y", "true":
		hint = "; write true"
	case "no", "off", "n", "false":
		hint = "; write false"
	}
	r.at(n, "%s is true or false, not %s%s", what, n.quote(), hint)
	return false
}

// choice reads one of a few words.
func (r *report) choice(n *node, what string, words ...string) (string, bool) {
	text, ok := r.text(n, what)
	if !ok {
		return "", false
	}
	for _, w := range words {
		if text == w {
			return w, true
		}
	}
	r.at(n, "%s is %s, not %s%s", what, strings.Join(words, " or "), n.quote(), meant(n, words))
	return "", false
}

// duration reads a time longer than none.
func (r *report) duration(n *node, what string) (time.Duration, bool) {
	text, ok := r.text(n, what)
	if !ok {
		return 0, false
	}
	d, err := ParseDuration(text)
	if err != nil {
		hint := ""
		if n.typed == "a number" {
			hint = ": did you mean " + n.raw + "s?"
		}
		r.at(n, "%s is a time such as 500ms, 30s, 1m30s or 1d, not %s%s", what, n.quote(), hint)
		return 0, false
	}
	if d <= 0 {
		r.at(n, "%s must be longer than nothing, not %s", what, n.quote())
		return 0, false
	}
	return d, true
}

// share reads a part of a whole, as a number from 0 to 1.
func (r *report) share(n *node, what string) (float64, bool) {
	text, ok := r.text(n, what)
	if !ok {
		return 0, false
	}
	v, err := parseShare(text)
	if err == nil {
		return v, true
	}
	hint := ""
	if n.typed == "a number" {
		hint = ": did you mean " + n.raw + "%?"
	}
	r.at(n, "%s is a share from 0%% to 100%%, not %s%s", what, n.quote(), hint)
	return 0, false
}

// size reads a number of bytes.
func (r *report) size(n *node, what string) (int64, bool) {
	text, ok := r.text(n, what)
	if !ok {
		return 0, false
	}
	v, err := parseSize(text)
	if err != nil {
		r.at(n, "%s is a size such as 500kB, 10MB (10,000,000 bytes) or 10MiB (10,485,760), not %s", what, n.quote())
		return 0, false
	}
	return v, true
}
