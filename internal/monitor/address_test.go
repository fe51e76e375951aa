package monitor

import (
	"errors"
	"net"
	"strings"
	"testing"
)

func TestAnAddressWithoutAHostIsThisMachine(t *testing.T) {
	for text, want := range map[string]string{
		"8000": "127.0.0.1:8000", ":8000": "127.0.0.1:8000", "0": "127.0.0.1:0", "localhost:8000": "localhost:8000",
		"0.0.0.0:8000": "0.0.0.0:8000", "[::]:8000": "[::]:8000",
		"[::1]:0": "[::1]:0", "shop.example:65535": "shop.example:65535",
	} {
		host, port, err := parseAddress(text)
		if got := net.JoinHostPort(host, port); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestWhatIsNoAddressIsRefused(t *testing.T) {
	for _, text := range []string{"", ":", "localhost", "localhost:", "localhost:http", "8000:", "65536", "-1", "::1:8000",
		"http://localhost:8000", "localhost:8000/", "127.0.0.1:8000:1", " 8000"} {
		_, _, err := parseAddress(text)
		if wrong := (*AddressError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "want HOST:PORT") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestOnlyNamesOfThisMachineAreItsOwn(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1:8000": true, "127.0.0.1": true, "127.8.9.10:1": true, "localhost:9000": true, "LocalHost": true,
		"[::1]:8000": true, "[::1]": true, "mine.example:8000": true, "Mine.Example": true,
		"": false, "evil.example": false, "evil.example:8000": false, "127.0.0.1.evil.example": false,
		"localhost.evil.example:8000": false, "192.168.1.5:8000": false, "[fe80::1]:8000": false, "0.0.0.0:8000": false,
		"127.0.0.1:8000:8000": false, "2130706433": false,
	} {
		if ownName(host, "mine.example") != want {
			t.Errorf("%q: want %v", host, want)
		}
	}
}
