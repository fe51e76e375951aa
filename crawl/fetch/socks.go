package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"time"
)

// socks dials through a SOCKS5 proxy (RFC 1928, with the passwords of RFC 1929). net/http has a client of its own,
// but its errors say only as a text whether the proxy or the site was at fault. Names are resolved by the proxy.
type socks struct {
	proxy  *url.URL
	dialer *net.Dialer
	wait   time.Duration // for the proxy to reach the site
}

// socksError is a proxy that did not make the connection.
type socksError struct {
	reply byte // REP of RFC 1928, section 6; 0: it did not come to one
	err   error
}

func (e *socksError) Error() string { return e.err.Error() }
func (e *socksError) Unwrap() error { return e.err }

// own tells whether it is the proxy's fault for certain. A reply from 1 to 6 may be about the site.
func (e *socksError) own() bool { return e.reply == 0 || e.reply > 6 }

// replies are the words of RFC 1928 for REP.
var replies = []string{"", "general failure", "not allowed by its rules", "network unreachable", "host unreachable",
	"connection refused", "TTL expired", "command not supported", "address type not supported"}

func (s *socks) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := s.dialer.DialContext(ctx, network, s.proxy.Host)
	if err != nil {
		return nil, &socksError{err: err}
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err = conn.SetDeadline(time.Now().Add(s.wait)); err == nil {
		err = s.connect(conn, address)
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		_ = conn.Close()
		if isA[*socksError](err) || isA[*net.AddrError](err) {
			return nil, err
		}
		return nil, &socksError{err: err}
	}
	return conn, nil
}

// connect has the proxy connect to an address, a host and a port.
func (s *socks) connect(conn net.Conn, address string) error {
	if err := s.enter(conn); err != nil {
		return err
	}
	request, err := socksRequest(address)
	if err != nil {
		return err
	}
	if _, err := conn.Write(request); err != nil {
		return err
	}
	head := make([]byte, 4)
	if _, err := io.ReadFull(conn, head); err != nil {
		return &socksError{reply: 1, err: fmt.Errorf("it did not say whether it reached the site: %w", err)}
	}
	if head[0] != 5 {
		return errors.New("it does not speak SOCKS5")
	}
	if reply := head[1]; reply != 0 {
		text := fmt.Sprintf("it refused with SOCKS reply %d", reply)
		if int(reply) < len(replies) {
			text = "it says: " + replies[reply]
		}
		return &socksError{reply, errors.New(text)}
	}
	return skipAddress(conn, head[3])
}

// enter agrees on a way to log in, and does it.
func (s *socks) enter(conn net.Conn) error {
	hello := []byte{5, 1, 0} // no password
	if s.proxy.User != nil {
		hello = []byte{5, 2, 0, 2}
	}
	if _, err := conn.Write(hello); err != nil {
		return err
	}
	var answer [2]byte
	if _, err := io.ReadFull(conn, answer[:]); err != nil {
		return err
	}
	switch {
	case answer[0] != 5:
		return errors.New("it does not speak SOCKS5")
	case answer[1] == 0:
		return nil
	case answer[1] != 2 || s.proxy.User == nil:
		return errors.New("it wants a user and a password")
	}
	user := s.proxy.User.Username()
	password, _ := s.proxy.User.Password()
	if len(user) == 0 || len(user) > 255 || len(password) > 255 {
		return errors.New("its user must have 1 to 255 bytes, its password at most 255")
	}
	login := append([]byte{1, byte(len(user))}, user...)
	login = append(append(login, byte(len(password))), password...)
	if _, err := conn.Write(login); err != nil {
		return err
	}
	if _, err := io.ReadFull(conn, answer[:]); err != nil {
		return err
	}
	if answer[1] != 0 {
		return errors.New("it refused user and password")
	}
	return nil
}

// socksRequest is CONNECT to an address; a name goes to the proxy as it is.
func socksRequest(address string) ([]byte, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, &net.AddrError{Err: "no such port", Addr: text}
	}
	request := []byte{5, 1, 0}
	ip := net.ParseIP(host)
	switch four := ip.To4(); {
	case four != nil:
		request = append(append(request, 1), four...)
	case ip != nil:
		request = append(append(request, 4), ip.To16()...)
	case len(host) > 255:
		return nil, &net.AddrError{Err: "a host of more than 255 bytes", Addr: ""}
	default:
		request = append(append(request, 3, byte(len(host))), host...)
	}
	return append(request, byte(port>>8), byte(port)), nil
}

// skipAddress reads the rest of a reply: the proxy's own address, of this type, and port.
func skipAddress(conn net.Conn, kind byte) error {
	var length [1]byte
	n := map[byte]int64{1: 4, 4: 16}[kind]
	if kind == 3 {
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return err
		}
		n = int64(length[0])
	}
	if n == 0 {
		return errors.New("its reply has no address")
	}
	_, err := io.CopyN(io.Discard, conn, n+2)
	return err
}
