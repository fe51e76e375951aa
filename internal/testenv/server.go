package testenv

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// patience is how long a server may take to answer after its start, and to end.
const patience = 60 * time.Second

// Server is a program that a test process started. It runs until Main ends, or until Stop.
type Server struct {
	Dir  string // its own folder, with its log
	Port int    // on 127.0.0.1

	args  []string
	ready func(context.Context) error // nil when it answers
	mu    sync.Mutex
	cmd   *exec.Cmd
	ended chan struct{}
}

// Start starts the server, again after Stop, and returns when it answers.
func (s *Server) Start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	log, err := os.OpenFile(filepath.Join(s.Dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("start %s: %w", s.args[0], err)
	}
	defer log.Close() // the process has its own descriptor
	cmd := exec.Command(s.args[0], s.args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.Dir, log, log
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.args[0], err)
	}
	s.cmd, s.ended = cmd, make(chan struct{})
	go func(ended chan struct{}) {
		_ = cmd.Wait() // its error is in the log
		close(ended)
	}(s.ended)
	return s.answers()
}

// answers waits until the server is ready.
func (s *Server) answers() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		err := s.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
			continue
		case <-ctx.Done():
		case <-s.ended:
		}
		said, _ := os.ReadFile(filepath.Join(s.Dir, "log"))
		return fmt.Errorf("%s does not answer: %w; it said:\n%s", s.args[0], err, said)
	}
}

// Stop ends the server as an administrator does, Kill as a power cut does. Both return when it has ended.
func (s *Server) Stop() error { return s.end(os.Interrupt) }

// Kill ends the server at once.
func (s *Server) Kill() error { return s.end(os.Kill) }

func (s *Server) end(signal os.Signal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return nil
	}
	if signal == os.Interrupt {
		signal = politely
	}
	if err := s.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop %s: %w", s.args[0], err)
	}
	select {
	case <-s.ended:
	case <-time.After(patience):
		_ = s.cmd.Process.Kill()
		<-s.ended
	}
	s.cmd = nil
	return nil
}

// running are the servers that Main stops.
var running struct {
	sync.Mutex
	servers []*Server
	folders []string
}

// Main runs the tests and stops what they started; its result is for os.Exit.
func Main(m *testing.M) int {
	code := m.Run()
	running.Lock()
	defer running.Unlock()
	for _, s := range running.servers {
		if err := s.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	for _, dir := range running.folders {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	return code
}

// folder makes a temporary folder that lives until Main ends.
func folder(name string) (string, error) {
	dir, err := os.MkdirTemp("", "dogear-"+name+"-")
	if err != nil {
		return "", err
	}
	running.Lock()
	defer running.Unlock()
	running.folders = append(running.folders, dir)
	return dir, nil
}

func keep(s *Server) {
	running.Lock()
	defer running.Unlock()
	running.servers = append(running.servers, s)
}

// freePort finds a port that nothing listens on now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
