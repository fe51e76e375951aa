package fetch

import (
	"net/http"
	"time"
)

// Exchange is how one exchange ended, with the redirects that it followed.
type Exchange struct {
	Kind   Kind // "": well
	Status int  // 0: there was no answer
	Took   time.Duration
}

// observe tells whoever wants to know how an exchange ended that brings no page to its caller. A robots.txt that is not
// there is an answer too.
func (c *call) observe(kind Kind, status int, took time.Duration) {
	observe := c.client.options.Observe
	if observe == nil {
		return
	}
	if c.robots && kind == ClientFault && status >= http.StatusBadRequest {
		kind = ""
	}
	observe(Exchange{kind, status, took})
}
