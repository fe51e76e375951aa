package fetch

import (
	"net"
	"net/http"
	"time"
)

// newPool makes the connection pool. All idle connections of a crawl of one host are kept; a crawl of many hosts
// is bounded in total, so that files for connections do not run out.
func newPool(o *Options) *http.Transport {
	// net/http dials on for the pool after the attempt that wanted the connection has ended, hence limits of their
	// own for dialing and the handshake. That for dialing comes before the attempt's, so that it is known which of them
	// a host that is away did not make it in.
	dialer := &net.Dialer{Timeout: o.Timeout / 2, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSHandshakeTimeout:   o.Timeout,
		MaxIdleConns:          2*o.Concurrency + 32,
		MaxIdleConnsPerHost:   o.Concurrency,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
		DisableCompression:    true, // see coding.go: it knows gzip only
		ForceAttemptHTTP2:     true, // a dialer of one's own turns it off otherwise
	}
}
