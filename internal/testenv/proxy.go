package testenv

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Login is what a proxy asks for; the zero value lets everybody in.
type Login struct{ User, Password string }

// TinyProxy starts a tinyproxy, an HTTP proxy, which ends with the test.
func TinyProxy(t testing.TB, login Login) *Server {
	t.Helper()
	program := Tool(t, "tinyproxy", "tinyproxy")
	s := NewServer(t)
	config := fmt.Sprintf("Port %d\nListen 127.0.0.1\nTimeout 60\nMaxClients 200\nDisableViaHeader Yes\nLogLevel Warning\n", s.Port)
	if login.User != "" {
		config += fmt.Sprintf("BasicAuth %s %s\n", login.User, login.Password)
	}
	s.Write(t, "tinyproxy.conf", config)
	s.Run(t, program, "-d", "-c", filepath.Join(s.Dir, "tinyproxy.conf"))
	return s
}

// MicroSocks starts a microsocks, a SOCKS5 proxy, which ends with the test.
func MicroSocks(t testing.TB, login Login) *Server {
	t.Helper()
	program := Tool(t, "microsocks", "microsocks")
	s := NewServer(t)
	args := []string{program, "-i", "127.0.0.1", "-p", strconv.Itoa(s.Port)}
	if login.User != "" {
		args = append(args, "-u", login.User, "-P", login.Password)
	}
	s.Run(t, args...)
	return s
}

// NewServer prepares a server of the test's own: an empty folder and a free port. Run starts it.
func NewServer(t testing.TB) *Server {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	return &Server{Dir: t.TempDir(), Port: port}
}

// Write writes a file into the server's folder.
func (s *Server) Write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Run starts the server with this command, which listens on its port, and stops it when the test ends. Start, Stop and
// Kill may be called in between.
func (s *Server) Run(t testing.TB, args ...string) {
	t.Helper()
	s.args = args
	s.ready = s.listens
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// Address is host and port.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)) }

func (s *Server) listens(ctx context.Context) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.Address())
	if err != nil {
		return err
	}
	return conn.Close()
}
