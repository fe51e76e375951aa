package crawl

import (
	"fmt"
	"strings"

	"dogear/crawl/extract"
	"dogear/crawl/job"
	"dogear/state"
)

// addSitemaps adds the kinds of page that the job has for its sitemaps. Their tasks are like any others: they are
// retried, obey robots.txt, wait for their host's turn, and are put back by a refresh, which finds what is new.
func (p *plan) addSitemaps() {
	for i := range p.options.Job.Sitemaps {
		s := &p.options.Job.Sitemaps[i]
		rules := &extract.Sitemap{Kind: s.Kind}
		for _, r := range s.Rules {
			rules.Rules = append(rules.Rules, extract.SitemapRule(r))
		}
		p.pages[s.Kind] = &pageKind{rules: rules, within: job.WithinDomain, body: s.Body}
	}
}

// passedOver tells the user what a sitemap has that is not asked for because it should not be there.
func (p *plan) passedOver(task state.Task, r *extract.Result) {
	var parts []string
	if r.Foreign > 0 {
		parts = append(parts, fmt.Sprintf("%d of other domains", r.Foreign))
	}
	if r.Empty > 0 {
		parts = append(parts, fmt.Sprintf("%d without a URL", r.Empty))
	}
	if len(parts) > 0 {
		p.warn("%s: entries are passed over: %s", task.URL, strings.Join(parts, ", "))
	}
}
