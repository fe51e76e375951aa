package fetch

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Recall gives the client the cookies that an earlier run kept, by domain, before the first Do. What has expired
// since is left out, and what can't be read.
func (c *Client) Recall(cookies map[string]string, now time.Time) {
	if c.jar == nil {
		return
	}
	for domain, text := range cookies {
		var lines []string
		if json.Unmarshal([]byte(text), &lines) != nil {
			continue // a hand was in it; the site will set them anew
		}
		host := domain
		if strings.Contains(host, ":") {
			host = "[" + host + "]" // IPv6
		}
		u := &url.URL{Scheme: "https", Host: host, Path: "/"}
		for _, line := range lines {
			if cookie, err := http.ParseSetCookie(line); err == nil {
				c.jar.set(u, cookie, now)
			}
		}
		c.jar.recalled(domain, len(lines))
	}
}

// recalled forgets that a domain has changed, unless not all of its cookies were taken.
func (j *jar) recalled(domain string, n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.changed[domain] = true; len(j.kept[domain]) == n {
		delete(j.changed, domain)
	}
}

// Cookies returns the cookies of the domains in which something changed since the last call, as a text each for
// Recall; "" when a domain has none any more. Whoever has them may be let in by the site, so keep them like that.
func (c *Client) Cookies(now time.Time) map[string]string {
	if c.jar == nil {
		return nil
	}
	return c.jar.changes(now)
}

func (j *jar) changes(now time.Time) map[string]string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.changed) == 0 {
		return nil
	}
	texts := map[string]string{}
	for domain := range j.changed {
		texts[domain] = cookieText(j.kept[domain], now)
	}
	clear(j.changed)
	return texts
}

// cookieText is a JSON array of Set-Cookie lines, in an order that does not depend on when they came.
func cookieText(of map[cookieID]cookie, now time.Time) string {
	ids := slices.SortedFunc(maps.Keys(of), func(a, b cookieID) int {
		return cmp.Or(cmp.Compare(a.path, b.path),
			cmp.Compare(a.name, b.name))
	})
	lines := make([]string, 0, len(ids))
	for _, id := range ids {
		if c := of[id]; c.expires.IsZero() || c.expires.After(now) {
			lines = append(lines, c.line)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	encoded, err := json.Marshal(lines)
	if err != nil {
		return "" // texts always can be
	}
	return string(encoded)
}
