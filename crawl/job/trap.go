package job

import (
	"regexp"
	"strings"
)

// fault is where the YAML library gave up and what it says. Its words are only shown: what went wrong is read off the
// job file itself, so that another version of the library can't mislead a hint.
type fault struct {
	line, col int
	message   string
}

// traps turn a syntax error into a hint, each for one of YAML's traps; the first that knows it reports it.
var traps = []func(*report, fault) bool{
	markupTrap, tabTrap, escapeTrap, hashTrap, bracketTrap, reservedTrap, colonTrap, spaceTrap, indentTrap, quoteTrap,
}

// markupTrap: what was downloaded instead of a job file.
func markupTrap(r *report, f fault) bool {
	for i, line := range r.lines {
		if line = strings.TrimSpace(line); line != "" {
			if !strings.HasPrefix(line, "<") {
				return false
			}
			r.add(i+1, 1, "this looks like HTML or XML; a job file is YAML and begins with keys such as start:")
			return true
		}
	}
	return false
}

// tabTrap: editors indent with tabs, YAML does not.
func tabTrap(r *report, f fault) bool {
	for n := f.line - 1; n <= f.line+1; n++ {
		line := r.line(n)
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if tab := strings.Index(indent, "\t"); tab >= 0 && len(indent) < len(line) {
			r.add(n, tab+1, "a tab in the indentation; YAML wants spaces")
			return true
		}
	}
	return false
}

// escapeTrap: "\d+" in double quotes.
func escapeTrap(r *report, f fault) bool {
	before := []rune(r.line(f.line))[:max(0, min(f.col-1, len([]rune(r.line(f.line)))))]
	if len(before) == 0 || before[len(before)-1] != '\\' {
		return false
	}
	r.add(f.line, f.col-1, `in double quotes YAML reads \ as the beginning of an escape; put a regular expression in single quotes: '\d+'`)
	return true
}

var unquotedHash = regexp.MustCompile(`(?:[:,\[{]|[^\s#'"])\s+(#[^\s#]\S*)`)

// hashTrap: {css: #id, type: int} never ends, because # begins a comment.
func hashTrap(r *report, f fault) bool {
	last := f.line
	if c := r.char(f.line, f.col); c == '{' || c == '[' {
		last = len(r.lines)
	}
	for n := f.line; n <= last; n++ {
		line := r.line(n)
		at := unquotedHash.FindStringSubmatchIndex(line)
		if at == nil || !strings.ContainsAny(line[:at[2]], "{[") && n == f.line {
			continue
		}
		text := strings.TrimRight(line[at[2]:at[3]], ",]}")
		r.add(n, column(line, at[2]), "%q is a comment to YAML, so the rest of the line is lost; put the selector in quotes: %q", text, text)
		return true
	}
	return false
}

// bracketTrap: braces and brackets inside {…} and […], as in {url: https://x/{id}} or {css: a[href]}.
func bracketTrap(r *report, f fault) bool {
	c := r.char(f.line, f.col)
	if c != '{' && c != '[' {
		return false
	}
	before := string([]rune(r.line(f.line))[:f.col-1])
	if strings.Count(before, "{")+strings.Count(before, "[") > strings.Count(before, "}")+strings.Count(before, "]") {
		r.add(f.line, f.col, `%q inside braces or brackets needs quotes round the whole value, such as {url: "https://host/{id}"} or {css: "a[href]"}`, string(c))
		return true
	}
	r.add(f.line, f.col, "this %q is not closed", string(c))
	return true
}

// reservedTrap: a value that begins with a character that means something to YAML.
func reservedTrap(r *report, f fault) bool {
	c := r.char(f.line, f.col)
	if !strings.ContainsRune("@`*&>|%!", c) || c == 0 {
		return false
	}
	value := strings.TrimRight(string([]rune(r.line(f.line))[f.col-1:]), " ,]}")
	r.add(f.line, f.col, "a value that begins with %s needs quotes: %q", string(c), shorten(value))
	return true
}

var twoColons = regexp.MustCompile(`^\s*(?:- +)?[^\s:'"{\[#][^:'"{\[#]*:\s+([^'"{\[\s|>].*?:(?:\s.*)?)$`)

// colonTrap: title: a: b.
func colonTrap(r *report, f fault) bool {
	line := r.line(f.line)
	at := twoColons.FindStringSubmatchIndex(line)
	if at == nil {
		return false
	}
	value := strings.TrimSpace(line[at[2]:at[3]])
	r.add(f.line, column(line, at[2]), "YAML takes this for a map because of the colon; put it in quotes: %q", shorten(value))
	return true
}

var noSpace = regexp.MustCompile(`^\s*(?:- +)?[A-Za-z_]\w*(:)[^\s:/]`)

// spaceTrap: rate:5/s.
func spaceTrap(r *report, f fault) bool {
	line := r.line(f.line)
	at := noSpace.FindStringSubmatchIndex(line)
	if at == nil {
		return false
	}
	r.add(f.line, column(line, at[2]), "a space is missing after the colon")
	return true
}

// indentTrap: keys of one map that do not stand below each other. The library stops at the line above, or at the line.
func indentTrap(r *report, f fault) bool {
	for n := f.line; n <= f.line+1; n++ {
		line := r.line(n)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if indent == 0 || indent == len(line) || n == f.line && f.col != indent+1 {
			continue
		}
		if !r.indentedLike(n, indent) {
			r.add(n, indent+1, "indented unlike the lines above; keys of one map stand exactly below each other")
			return true
		}
	}
	return false
}

// indentedLike says whether line n may begin where it does: right below a line that opens something, or like a line
// above it, up to the last one without indentation.
func (r *report) indentedLike(n, indent int) bool {
	first := true
	for n--; n > 0; n-- {
		line := strings.TrimRight(r.line(n), " ")
		have := len(line) - len(strings.TrimLeft(line, " "))
		if have == len(line) {
			continue
		}
		if first && strings.HasSuffix(line, ":") || have == indent {
			return true
		}
		if have == 0 {
			return false
		}
		first = false
	}
	return false
}

// quoteTrap: a quote that is not closed, or text after one that is.
func quoteTrap(r *report, f fault) bool {
	c := r.char(f.line, f.col)
	if c != '"' && c != '\'' {
		return false
	}
	r.add(f.line, f.col, "this quote is not closed, or has more quotes inside (write '' for a ' in single quotes)")
	return true
}

// char returns the character at a position; 0 outside the file.
func (r *report) char(line, col int) rune {
	if runes := []rune(r.line(line)); col >= 1 && col <= len(runes) {
		return runes[col-1]
	}
	return 0
}

// column turns a byte offset in a line into a column.
func column(line string, offset int) int { return len([]rune(line[:offset])) + 1 }
