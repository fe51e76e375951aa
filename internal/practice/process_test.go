package practice

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// middle starts a site, prints its URL and waits to be killed.
func middle() int {
	p, err := StartProcess(context.Background(), Options{Products: 3}, -1)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(p.URL)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

func TestSiteInAnotherProcess(t *testing.T) {
	p, err := StartProcess(t.Context(), Options{Products: 3, Pages: 2, Delay: time.Microsecond,
		Faults: []Fault{{Path: "/page/1", Script: "500"}}}, 0)
	must(t, err)
	if p.PID == os.Getpid() || p.PID == 0 {
		t.Errorf("pid %d", p.PID)
	}
	for uri, want := range map[string]int{"/v1/product/3": 200, "/v1/product/4": 404, "/page/1": 500, "/page/3": 404} {
		if status, _ := fetch(t, p.URL+uri); status != want {
			t.Errorf("%s: %d, want %d", uri, status, want)
		}
	}
	counts, err := p.Counts()
	must(t, err)
	if len(counts) != 4 {
		t.Errorf("%v", counts)
	}
	must(t, p.Close())
	if _, err := p.Stats(); err == nil {
		t.Error("it still answers")
	}
}

func TestProcessIsKeptOnItsCore(t *testing.T) {
	if _, err := exec.LookPath("taskset"); err != nil || runtime.GOOS != "linux" {
		t.Skip("needs taskset")
	}
	p, err := StartProcess(t.Context(), Options{}, 0)
	must(t, err)
	defer func() { must(t, p.Close()) }()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID))
	must(t, err)
	if !bytes.Contains(status, []byte("\nCpus_allowed_list:\t0\n")) {
		t.Errorf("%s", status)
	}
}

func TestProcessEndsWhenItsParentIsKilled(t *testing.T) {
	parent := exec.Command(os.Args[0], "-test.run=^$")
	parent.Env = append(os.Environ(), middleVariable+"=1")
	in, err := parent.StdinPipe()
	must(t, err)
	defer in.Close()
	out, err := parent.StdoutPipe()
	must(t, err)
	must(t, parent.Start())
	url, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	conn, err := net.Dial("tcp", strings.TrimPrefix(strings.TrimSpace(url), "http://"))
	must(t, err)
	defer conn.Close()
	must(t, parent.Process.Kill())
	_ = parent.Wait()
	// The site's end is what ends the connection: the read waits for it.
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestProcessIsKilledWhenItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, err := StartProcess(ctx, Options{}, -1)
	must(t, err)
	cancel()
	if err := p.Close(); err == nil {
		t.Error("it ended in order")
	}
}

func TestChildSaysWhyItCannotServe(t *testing.T) {
	taken := serve(t, Options{})
	for options, code := range map[string]int{
		"not JSON": 2, `{"faults":[{"path":"/","script":"boom"}]}`: 1, `{"addr":"` + strings.TrimPrefix(taken.URL, "http://") + `"}`: 1,
	} {
		var out, errs bytes.Buffer
		if got := child(options, strings.NewReader(""), &out, &errs); got != code || errs.Len() == 0 || out.Len() != 0 {
			t.Errorf("%s: %d, said %q and %q", options, got, out.String(), errs.String())
		}
	}
	_, err := StartProcess(t.Context(), Options{Addr: strings.TrimPrefix(taken.URL, "http://")}, -1)
	if err == nil {
		t.Error("StartProcess started a site where there is one")
	}
}

func TestChildServesUntilItsInputEnds(t *testing.T) {
	in, parent := io.Pipe()
	out, said := io.Pipe()
	code := make(chan int)
	go func() { code <- child(`{"products":3}`, in, said, io.Discard) }()
	url, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	if status, _ := fetch(t, strings.TrimSpace(url)+"/v1/product/3"); status != 200 {
		t.Error(status)
	}
	must(t, parent.Close())
	if got := <-code; got != 0 {
		t.Errorf("exit %d", got)
	}
}

func TestProgramWithoutChildMainIsFoundOut(t *testing.T) {
	t.Setenv(childVariable, "{}")
	if _, err := StartProcess(t.Context(), Options{}, -1); !errors.Is(err, ErrNoChildMain) {
		t.Errorf("in a child: %v", err)
	}
	p := &Process{}
	if err := p.readURL(strings.NewReader("PASS\n")); !errors.Is(err, ErrNoChildMain) {
		t.Errorf("in its parent: %v", err)
	}
}
