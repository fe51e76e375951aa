package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

var (
	errDeadline = errors.New("no complete answer before the deadline")
	errTooLarge = errors.New("the body is larger than the limit")
	errEncoding = errors.New("the body has a content encoding that was not asked for")
	errStopped  = errors.New("stopped")
	errPutOff   = errors.New("put off")
	errAway     = errors.New("the host is away, or asked to be left alone")
)

// good tells whether a status is an answer to keep: any 2xx, and what the request accepts besides.
func good(status int, accept []int) bool {
	return status >= 200 && status <= 299 || slices.Contains(accept, status)
}

// Unwanted is the failure that an answer of this status is to a request that accepts these besides any 2xx; nil when
// it is a good one.
func Unwanted(status int, accept []int) *Failure {
	if good(status, accept) {
		return nil
	}
	return &Failure{Kind: statusKind(status, false), Status: status, Err: StatusError(status)}
}

// statusKind is the kind of a status that is no good. asked: the answer has a Retry-After that means something.
//
// Statuses outside the table of kinds, as a user would want them: a 5xx is a trouble of the server's that may pass
// (also 507, 529, 530, 598), except those that say this server will never answer this request: 501, 505, 506, 510.
// What is left is final: a 3xx that leads nowhere (300, 304, no Location), a 101 nobody asked for, numbers of 600
// and more.
func statusKind(status int, asked bool) Kind {
	switch {
	case status == 408 || status == 425:
		return Timeout
	case status == 429 || status == 503 && asked:
		return Throttled
	case status == 501 || status == 505 || status == 506 || status == 510:
		return ClientFault
	case status >= 500 && status <= 599:
		return Server
	}
	return ClientFault
}

// errorKind is the kind of an exchange that broke. Whether the deadline or abort broke it is known to the attempt.
func errorKind(err error) Kind {
	switch {
	case errors.Is(err, errDeadline):
		return Timeout
	case errors.Is(err, errTooLarge):
		return TooLarge
	case errors.Is(err, errEncoding), isA[*codingError](err):
		return Parse
	case isA[*RobotsError](err):
		return Robots
	case isA[*redirectError](err), isA[*net.AddrError](err), badCertificate(err):
		return ClientFault // an AddrError is a port that can't be
	case isA[*net.DNSError](err):
		return Network // also when the name server did not answer in time
	}
	var timed net.Error
	if errors.As(err, &timed) && timed.Timeout() {
		return Timeout
	}
	return Network
}

// badCertificate tells a certificate that is not trusted from a handshake that broke, which may be the network's.
func badCertificate(err error) bool {
	return isA[*tls.CertificateVerificationError](err) || isA[x509.UnknownAuthorityError](err) ||
		isA[x509.HostnameError](err) || isA[x509.CertificateInvalidError](err)
}

func isA[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// backOff is the wait before the n-th retry (from 1) after a failure of this kind: linear for timeouts, else
// exponential. jitter, from 0 up to 1, spreads an exponential one over 3/4 to 5/4, so that tasks that failed
// together do not come back together.
func (o *Options) backOff(kind Kind, n int, jitter float64) time.Duration {
	delay, limit := float64(o.Delay), float64(o.MaxDelay)
	if kind == Timeout {
		return time.Duration(min(delay*float64(n), limit))
	}
	for ; n > 1 && delay < limit; n-- {
		delay *= 2
	}
	return time.Duration(min(min(delay, limit)*(0.75+jitter/2), limit))
}

// bare takes the URL off an error of net/http, whose text would show it with all its secrets.
func bare(err error) error {
	for {
		wrapped, ok := err.(*url.Error)
		if !ok {
			return err
		}
		err = wrapped.Err
	}
}

// short bounds a text for keeping: an error of net/http may quote a whole line of a garbled answer.
func short(text string) string {
	const limit = 300
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
