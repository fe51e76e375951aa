package fetch

import (
	"fmt"
	"net/http"
	"net/url"
)

// maxRedirects is how many redirects an attempt follows; a loop ends here too. A redirect to itself is followed like
// any other, because servers do answer the second time.
const maxRedirects = 10

// redirectError is a redirect that is not followed. Its URL is redacted in the text.
type redirectError struct {
	why string
	url string
}

func (e *redirectError) Error() string {
	return fmt.Sprintf("redirect to %s: %s", redact(e.url), e.why)
}

// checkRedirect is asked by net/http before each hop; via has the requests made so far.
func (c *Client) checkRedirect(r *http.Request, via []*http.Request) error {
	hop := r.Context().(*hop)
	limit := maxRedirects
	if hop.call.robots {
		limit = robotsHops
	}
	if len(via) > limit {
		return &redirectError{fmt.Sprintf("more than %d redirects", limit), r.URL.String()}
	}
	if err := checkURL(r.URL); err != nil {
		return &redirectError{err.Error(), r.URL.String()}
	}
	r.URL.RawQuery = sendable(r.URL.RawQuery)
	if scope := hop.call.request.Scope; scope != nil {
		if err := scope(r.URL.String()); err != nil {
			return &redirectError{err.Error(), r.URL.String()}
		}
	}
	c.guard(r, via[0])
	return hop.turn(r.URL)
}

// guard keeps the job's credentials at the host they were written for. net/http takes Authorization and Cookie off
// when the domain changes, but not for a sub-domain or another port, nor from https to http, and it sends a
// Referer with the whole query along.
func (c *Client) guard(r, first *http.Request) {
	if hostKey(r.URL) == hostKey(first.URL) && (r.URL.Scheme == first.URL.Scheme || r.URL.Scheme == "https") {
		return
	}
	for name := range r.Header {
		if secretName(name) {
			r.Header.Del(name)
		}
	}
	if c.template.Header.Get("Referer") == "" {
		r.Header.Del("Referer")
	}
}

// transport is net/http's, with cookies, and with a check that comes before http.Client's: the latter reports a Location that can't be
// parsed as a text only, quoting it, and it would look like a fault of the network.
type transport struct {
	*http.Transport
	jar     *jar
	proxies *proxies // nil: none but those of the environment, which Transport knows
}

// send makes an exchange: with proxies never without one, whoever asks.
func (t transport) send(r *http.Request) (*http.Response, error) {
	if t.proxies == nil {
		return t.Transport.RoundTrip(r)
	}
	way, _ := r.Context().Value(viaKey{}).(*route)
	if way == nil || way.via == nil {
		return t.proxies.any().roundTrip(r, false)
	}
	return way.via.roundTrip(r, way.suspect == nil)
}

// CloseIdleConnections closes those of all pools.
func (t transport) CloseIdleConnections() {
	t.Transport.CloseIdleConnections()
	if t.proxies != nil {
		for _, p := range t.proxies.list {
			p.pool.CloseIdleConnections()
		}
	}
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.send(t.jar.dress(r))
	if err == nil {
		t.jar.take(r.URL, response)
	}
	if err != nil || response.StatusCode < 300 || response.StatusCode > 399 {
		return response, err
	}
	if _, err := url.Parse(response.Header.Get("Location")); err != nil {
		_ = response.Body.Close()
		return nil, &redirectError{badURL(err).Error(), "a bad Location"}
	}
	return response, nil
}
