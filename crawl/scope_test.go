package crawl

import (
	"testing"

	"dogear/crawl/job"
	"dogear/state"
)

func TestARedirectStaysAsNearAsTheFollowRulesDemand(t *testing.T) {
	const from = "https://shop.example/item/7"
	for _, c := range []struct {
		within, to string
		allowed    bool
	}{
		{job.WithinHost, "https://shop.example/other", true},
		{job.WithinHost, "http://SHOP.example/other", true},
		{job.WithinHost, "https://www.shop.example/item/7", true},
		{job.WithinHost, "https://WWW.shop.example/item/7", true},
		{job.WithinHost, "https://img.shop.example/item/7", false},
		{job.WithinHost, "https://www.example/item/7", false},
		{job.WithinHost, "https://shop.example:8443/item/7", false},
		{job.WithinHost, "https://elsewhere.example/www.shop.example", false},
		{job.WithinDomain, "https://img.shop.example/item/7", true},
		{job.WithinDomain, "https://elsewhere.example/", false},
	} {
		err := (&pageKind{within: c.within}).scope(state.Task{Depth: 1}, from)(c.to)
		if (err == nil) != c.allowed {
			t.Errorf("within %s, to %s: %v", c.within, c.to, err)
		}
	}
	for name, scope := range map[string]func(string) error{
		"a start":    (&pageKind{within: job.WithinHost}).scope(state.Task{}, from),
		"within any": (&pageKind{within: job.WithinAny}).scope(state.Task{Depth: 1}, from),
	} {
		if scope != nil {
			t.Errorf("%s is kept from redirects", name)
		}
	}
}
