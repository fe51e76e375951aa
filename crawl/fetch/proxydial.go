package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// proxyError is an exchange that broke because of a proxy, or may have. Its text has no credentials.
type proxyError struct {
	proxy string
	own   bool // the proxy's for certain: the site was not even asked. Otherwise it may be the site's
	known bool // the connection was good before it broke, so the proxy is little to blame
	err   error
}

func (e *proxyError) Error() string { return fmt.Sprintf("proxy %s: %v", e.proxy, bareDial(e.err)) }
func (e *proxyError) Unwrap() error { return e.err }

// bareDial takes off what is said around the error of a proxy's connection: the address is known.
func bareDial(err error) error {
	for {
		var op *net.OpError
		if !errors.As(err, &op) || op.Err == nil || op.Op != proxyConnect && op.Op != "dial" {
			return bare(err)
		}
		err = op.Err
	}
}

// proxyConnect is what net/http calls the way to an HTTP proxy, TLS to it included.
const proxyConnect = "proxyconnect"

// connectError is a proxy's answer to CONNECT that is no good.
type connectError int

func (e connectError) Error() string { return "it refused with " + StatusError(e).Error() }

// own tells a status that can only be about the proxy: who asks, what he owes it, how often he asks. 403 is about the
// site in the rules of many, and 5xx is what most say when they can't reach the site.
func (e connectError) own() bool {
	switch int(e) {
	case 401, 402, 407, 429:
		return true
	}
	return false
}

// roundTripper is a pool of connections through one proxy.
type roundTripper interface {
	http.RoundTripper
	CloseIdleConnections()
}

// maxDial is how long a proxy may take to be reached: less than an attempt, so that it is known where the time went.
const maxDial = 10 * time.Second

// newProxies makes a pool of connections for each proxy: http, https, socks5 or socks5h, with a user and a password
// if it wants one. Errors do not show them.
func newProxies(o *Options) (*proxies, error) {
	if len(o.Proxies) == 0 {
		return nil, nil
	}
	p := &proxies{recovery: o.ProxyRecovery, changed: make(chan struct{})}
	for i, text := range o.Proxies {
		u, err := ParseProxy(text)
		if err != nil {
			return nil, fmt.Errorf("proxy %d: %w", i+1, err)
		}
		p.list = append(p.list, newProxy(u, o, len(o.Proxies)))
	}
	return p, nil
}

// ParseProxy reads the URL of a proxy. Its error does not show the text, which may hold a password.
func ParseProxy(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, badURL(err)
	}
	switch port := u.Port(); {
	case !strings.Contains("http https socks5 socks5h", u.Scheme) || u.Scheme == "" || u.Opaque != "":
		return nil, errors.New("want http://, https:// or socks5:// with host and port")
	case u.Hostname() == "":
		return nil, errors.New("no host")
	case port == "" && strings.HasPrefix(u.Scheme, "socks"):
		u.Host = net.JoinHostPort(u.Hostname(), "1080")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("it has more than host and port; percent-encode / ? # and @ in a password")
	}
	return u, nil
}

// newProxy shares the connections that one host may have among n proxies, with some to spare: their turns do not come
// out even.
func newProxy(u *url.URL, o *Options, n int) *proxy {
	pool := newPool(o)
	pool.MaxIdleConnsPerHost = min(o.Concurrency, 2*o.Concurrency/n+2)
	pool.MaxIdleConns = 2*pool.MaxIdleConnsPerHost + 32
	dialer := &net.Dialer{Timeout: min(maxDial, max(o.Timeout/2, time.Millisecond)), KeepAlive: 30 * time.Second}
	p := &proxy{name: u.Host, pool: pool, health: fullHealth}
	if strings.HasPrefix(u.Scheme, "socks") {
		pool.Proxy = nil
		pool.DialContext = (&socks{u, dialer, o.Timeout}).dial
		return p
	}
	p.http, p.login = true, u.User != nil
	pool.Proxy = http.ProxyURL(u)
	pool.DialContext = dialer.DialContext
	pool.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
		if response.StatusCode != http.StatusOK {
			return connectError(response.StatusCode)
		}
		return nil
	}
	return p
}

// roundTrip makes an exchange through the proxy. Its error is a *proxyError when the proxy may be why there is no
// answer. first: it is the first try, and a refusal that may be the proxy's or the site's is worth another. There is
// one without CONNECT, where both answer in the same place: tinyproxy refuses a wrong password with 401, like a site.
func (p *proxy) roundTrip(r *http.Request, first bool) (*http.Response, error) {
	var connected atomic.Bool // net/http dials in another goroutine
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	response, err := p.pool.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	switch {
	case err != nil:
		return nil, p.why(err, connected.Load())
	case !p.http || r.URL.Scheme != "http":
	case response.StatusCode == http.StatusProxyAuthRequired, response.StatusCode == http.StatusUnauthorized &&
		p.login && first:
		_ = response.Body.Close()
		own := response.StatusCode == http.StatusProxyAuthRequired
		return nil, &proxyError{proxy: p.name, own: own, err: connectError(response.StatusCode)}
	}
	return response, nil
}

func (p *proxy) why(err error, connected bool) error {
	var refused connectError
	var negotiated *socksError
	var op *net.OpError
	own := false
	switch {
	case errors.As(err, &refused):
		own = refused.own()
	case errors.As(err, &negotiated):
		own = negotiated.own()
	case errors.As(err, &op) && op.Op == proxyConnect:
		own = true
	case connected && errors.Is(err, context.Canceled), badCertificate(err), isA[*net.AddrError](err):
		return err
	}
	return &proxyError{p.name, own, connected, err}
}
