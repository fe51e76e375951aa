package testenv

import (
	"net"
	"testing"
)

// Refusing returns an address of 127.0.0.1, host and port, at which every connection is refused until the test ends. The
// port is held by a connection that comes from it: the port of a listener that was closed is free for any other
// test's server, which may well take it.
func Refusing(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	conn, err := dialer.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(); _ = listener.Close() })
	return conn.LocalAddr().String()
}
