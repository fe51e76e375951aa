package fetch

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// robotsLimit is how much of a robots.txt is read, in bytes: the least that RFC 9309, 2.5 asks for.
const robotsLimit = 500 << 10

// maxCrawlDelay bounds a Crawl-delay: a file is asked for anew after that time anyway.
const maxCrawlDelay = 24 * time.Hour

// robotsFile is what a robots.txt (RFC 9309) says to one crawler. The zero value allows everything.
type robotsFile struct {
	rules []robotsRule
	delay time.Duration // Crawl-delay, which the RFC does not know: between two requests; 0: not given
}

// robotsRule is an Allow or Disallow line.
type robotsRule struct {
	allow   bool
	pattern string // as canonicalRule makes it
	line    int    // in the file, from 1
	text    string // as written, for people
}

// robotsGroup gathers what the groups of one name say; several count as one (RFC 9309, 2.2.1).
type robotsGroup struct {
	robotsFile
	found, current bool // named anywhere; named by the group that is being read
}

// parseRobots reads a file for the crawler with this product token: what stands under its name, in any case, or else
// what stands under *. It never fails: what is no rule is skipped (2.2), and so a page of HTML allows everything.
// Lines after the first robotsLimit bytes are not read.
func parseRobots(body []byte, token string) robotsFile {
	if len(body) >= robotsLimit { // its last line may be a part of one
		body = body[:bytes.LastIndexAny(body[:robotsLimit], "\r\n")+1]
	}
	var named, all robotsGroup
	groups := []*robotsGroup{&named, &all}
	naming := false // the last rule or user-agent line was a user-agent
	number := 0
	for line := range robotsLines(robotsText(body)) {
		number++
		key, value := robotsLine(line)
		switch key {
		case "user-agent":
			if !naming {
				named.current, all.current = false, false
			}
			naming = true
			name, _, _ := strings.Cut(value, "/")
			named.name(strings.EqualFold(strings.TrimSpace(name), token))
			all.name(value == "*")
		case "allow", "disallow":
			naming = false
			for _, g := range groups {
				g.add(key == "allow", value, number, line)
			}
		case "crawl-delay": // ends no list of names (2.2.4), and is for those above it
			for _, g := range groups {
				g.wait(value)
			}
		}
	}
	if named.found {
		return named.robotsFile
	}
	return all.robotsFile
}

func (g *robotsGroup) name(is bool) {
	g.found, g.current = g.found || is, g.current || is
}

func (g *robotsGroup) add(allow bool, value string, number int, line string) {
	if !g.current || value == "" { // an empty path matches nothing
		return
	}
	if value[0] != '/' && value[0] != '*' {
		value = "/" + value
	}
	text := short(strings.TrimSpace(line))
	g.rules = append(g.rules, robotsRule{allow: allow, pattern: canonicalRule(value), line: number, text: text})
}

func (g *robotsGroup) wait(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if !g.current || err != nil || math.IsNaN(seconds) || seconds < 0 {
		return
	}
	delay := time.Duration(min(seconds, maxCrawlDelay.Seconds()) * float64(time.Second))
	g.delay = max(g.delay, delay)
}

// robotsText takes a byte order mark off, and decodes what has one of UTF-16. Anything else is read as the bytes it
// has, whatever charset was declared for it: a robots.txt is UTF-8 (RFC 9309, 2.3), and rules are compared octet by
// octet.
func robotsText(body []byte) string {
	for _, m := range marks {
		if rest, ok := bytes.CutPrefix(body, []byte(m.bytes)); ok {
			if m.charset == utf8Charset.name {
				return string(rest)
			}
			return string(lookup(m.charset).decode(rest, "bom").body)
		}
	}
	return string(body)
}

// robotsLines yields the lines, which end in LF, CR or both.
func robotsLines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			line, rest := text, ""
			if i := strings.IndexAny(text, "\r\n"); i >= 0 {
				line, rest = text[:i], text[i+1:]
				if text[i] == '\r' {
					rest = strings.TrimPrefix(rest, "\n")
				}
			}
			if !yield(line) {
				return
			}
			text = rest
		}
	}
}

// robotsLine splits a line into its key in lower case and its value, without the comment. Where the colon was forgotten
// white space will do, as with Google's parser.
func robotsLine(line string) (key, value string) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.TrimSpace(line)
	i := strings.IndexByte(line, ':')
	if i < 0 {
		i = strings.IndexAny(line, " \t")
	}
	if i < 0 {
		return "", ""
	}
	key, value = strings.ToLower(strings.TrimSpace(line[:i])), strings.TrimSpace(line[i+1:])
	if key == "useragent" || key == "user agent" {
		key = "user-agent"
	}
	return key, value
}
