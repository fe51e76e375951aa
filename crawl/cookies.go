package crawl

import (
	"time"

	"dogear/state"
)

// recall gives the client the cookies that earlier runs were given (scrapy #5930: lost between runs, so every resume
// was a visitor nobody knew).
func (p *plan) recall(hosts []state.Host, now time.Time) {
	cookies := map[string]string{}
	for _, h := range hosts {
		if h.Cookies != "" {
			cookies[h.Name] = h.Cookies
		}
	}
	p.client.Recall(cookies, now)
}
