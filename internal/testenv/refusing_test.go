package testenv_test

import (
	"errors"
	"net"
	"syscall"
	"testing"

	"dogear/internal/testenv"
)

func TestNobodyElseGetsTheAddressThatRefuses(t *testing.T) {
	address := testenv.Refusing(t)
	for range 1000 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if l.Addr().String() == address {
			t.Error("a listener was given the address")
		}
		_ = l.Close()
	}
	if l, err := net.Listen("tcp", address); err == nil {
		_ = l.Close()
		t.Error("the address can be listened at")
	}
	if _, err := net.Dial("tcp", address); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v, want a refusal", err)
	}
}
