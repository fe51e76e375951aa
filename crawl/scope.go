package crawl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dogear/crawl/extract"
	"dogear/crawl/job"
	"dogear/state"
)

// scopes are the values of within, the wider the later.
var scopes = []string{job.WithinHost, job.WithinDomain, job.WithinAny}

// withinOf is the widest within of the rules (follow, next, sitemaps) that lead to a kind of page. A task does not keep which rule
// found it, so what one of them allows is not refused. Without any it is WithinAny: only starts lead there, or a job
// that was edited.
func withinOf(j *job.Job, page string) string {
	widest, found := job.WithinHost, false
	for i := range j.Pages {
		for _, f := range j.Pages[i].Follow {
			if f.Page == page {
				widest, found = wider(widest, f.Within), true
			}
		}
		if n := j.Pages[i].Next; n != nil && j.Pages[i].Name == page {
			widest, found = wider(widest, n.Within), true
		}
	}
	for i := range j.Sitemaps {
		for _, r := range j.Sitemaps[i].Rules {
			if r.Page == page {
				widest, found = wider(widest, job.WithinDomain), true
			}
		}
	}
	if !found {
		return job.WithinAny
	}
	return widest
}

func wider(a, b string) string {
	return slices.MaxFunc([]string{a, b}, func(a, b string) int {
		return cmp.Compare(slices.Index(scopes, a), slices.Index(scopes, b))
	})
}

// scope is what is asked at each hop of a redirect (scrapy #2303): whether it is as near to the task's URL as the
// follow rules of its kind of page demand of a link. A site that sends its visitors from shop.example to
// www.shop.example, or back, is still the one that was asked for. A start may lead anywhere: the user wrote it, and
// follows links from where it leads. nil: no hop is refused.
func (k *pageKind) scope(task state.Task, from string) func(string) error {
	if task.Depth == 0 || k.within == job.WithinAny {
		return nil
	}
	return func(to string) error {
		if extract.Within(k.within, from, to) || extract.Within(k.within, withoutWWW(from), withoutWWW(to)) {
			return nil
		}
		return fmt.Errorf("outside of what the job follows (within: %s; `within: any` in the follow rule follows it)",
			k.within)
	}
}

// withoutWWW is a URL with the www. of its host left out.
func withoutWWW(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	if len(rest) > 4 && strings.EqualFold(rest[:4], "www.") {
		rest = rest[4:]
	}
	return scheme + "://" + rest
}
