package monitor

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// loopback is where a Monitor listens when no host is named.
const loopback = "127.0.0.1"

// AddressError says that an address can't be meant.
type AddressError struct{ Address, Why string }

func (e *AddressError) Error() string {
	return fmt.Sprintf("%q %s: want HOST:PORT, or a PORT of %s", e.Address, e.Why, loopback)
}

// parseAddress reads HOST:PORT, :PORT or PORT; without a host it is loopback.
func parseAddress(text string) (host, port string, err error) {
	host, port = "", text
	if strings.Contains(text, ":") {
		if host, port, err = net.SplitHostPort(text); err != nil {
			return "", "", &AddressError{text, "is no address"}
		}
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", "", &AddressError{text, "has no port from 0 to 65535"}
	}
	if host == "" {
		host = loopback
	}
	return host, port, nil
}

// isLoopback tells whether only this machine can reach an address.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// ownName tells whether the Host line of a request names this machine: as localhost, by a loopback address, or as it
// was named when it began to listen. The port may be another one, that of a tunnel.
func ownName(hostLine, given string) bool {
	host := hostLine
	if h, _, err := net.SplitHostPort(hostLine); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") || strings.EqualFold(host, given) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
