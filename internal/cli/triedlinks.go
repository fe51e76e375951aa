package cli

import (
	"fmt"
	"strings"

	"dogear/crawl"
	"dogear/crawl/extract"
	"dogear/crawl/job"
	"dogear/schema"
)

// triedLinks is how many links to each kind of page are shown.
const triedLinks = 20

// links shows where the page leads, by kind of page, and what of it is not followed.
func (s *sheet) links(t *crawl.Tried) {
	if len(t.Seen.Follow) == 0 {
		return
	}
	s.WriteByte('\n')
	links := t.Seen.Links
	text := "none"
	if len(links) > 0 {
		text = count(int64(len(links)))
	}
	again := 0
	for _, f := range t.Seen.Follow {
		again += f.Again
	}
	if again > 0 {
		text += fmt.Sprintf(", and %s that lead where one of them does", count(int64(again)))
	}
	if len(links) > 0 && len(t.Outcome.Links) == 0 {
		text += "; a run follows none of a page that failed"
	}
	s.line("links", "%s", text)
	for _, kind := range kindsOf(t.Seen.Follow) {
		s.linksTo(kind, links)
	}
	if t.Seen.Err == nil {
		for i := range t.Seen.Follow {
			if text := missed(&t.Seen.Follow[i]); text != "" {
				s.hint(ruleOf(&t.Seen.Follow[i]), text)
			}
		}
	}
}

// ruleOf is the rule's key in the job file.
func ruleOf(f *extract.FollowSight) string {
	if f.Next {
		return "next"
	}
	return "follow"
}

// kindsOf returns the kinds of page that follow rules lead to, each once, in the order of the rules.
func kindsOf(rules []extract.FollowSight) []string {
	var kinds []string
	known := map[string]bool{}
	for _, f := range rules {
		if !known[f.Page] {
			known[f.Page] = true
			kinds = append(kinds, f.Page)
		}
	}
	return kinds
}

func (s *sheet) linksTo(kind string, links []schema.Request) {
	var to []schema.Request
	for _, l := range links {
		if l.Page == kind {
			to = append(to, l)
		}
	}
	if len(to) == 0 {
		return
	}
	fmt.Fprintf(s, "  %s  %s\n", kind, count(int64(len(to))))
	for _, l := range to[:min(len(to), triedLinks)] {
		url := fit(visible(l.URL), maxLine)
		if l.Method != "" && l.Method != "GET" {
			url = visible(l.Method) + " " + url
		}
		fmt.Fprintf(s, "    %s\n", url)
		if key := l.Key(); key != "GET "+l.URL {
			fmt.Fprintf(s, "      %s\n", s.faint("key "+fit(visible(key), maxLine)))
		}
		if l.Carry != "" {
			fmt.Fprintf(s, "      %s\n", s.faint("carries "+fit(visible(l.Carry), s.width-len("      carries "))))
		}
	}
	if more := len(to) - triedLinks; more > 0 {
		fmt.Fprintf(s, "    … and %s more\n", count(int64(more)))
	}
}

// missed says what of a rule's matches is not followed; "" when all of it is.
func missed(f *extract.FollowSight) string {
	source := fmt.Sprintf("`%s`", f.Source)
	if !f.Next {
		source += " as " + f.Page
	}
	switch {
	case f.Next && f.Matches == 0:
		return source + " matches nothing on this page, so it is the last of the walk"
	case f.TooDeep:
		return source + " leads deeper than its depth allows"
	case f.Matches == 0:
		return source + " matches nothing on this page"
	}
	var lost []string
	add := func(n int, what string) {
		if n > 0 {
			lost = append(lost, count(int64(n))+" "+what)
		}
	}
	add(f.NoLink, "without a URL to fetch")
	add(f.Unmatched, "that `match` rules out")
	add(f.Outside, "outside of within: "+f.Within+outsideHint(f.Within))
	if len(lost) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %s; not followed: %s", source, counted(int64(f.Matches), "match"), strings.Join(lost, ", "))
}

func outsideHint(within string) string {
	if within == job.WithinHost {
		return " (domain and any reach further)"
	}
	return " (any reaches further)"
}
