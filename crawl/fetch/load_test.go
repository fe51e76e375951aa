package fetch

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"
)

func TestALoadCountsWhatItsHostsDidNotBear(t *testing.T) {
	site := answering(t, "200", "404", "500", "429 Retry-After=0", "503", "200")
	o := quick()
	o.Load = &Load{}
	c := newClient(t, o)
	for range 3 {
		c.Do(t.Context(), t.Context(), Request{URL: site.URL})
	}
	if r := o.Load.Read(); r.Good != 3 || r.Bad != 3 || r.OnWire() != 1 || r.Typical() <= 0 {
		t.Errorf("%+v, want 200, 404 and 200 good and the rest bad, one at a time", r)
	}
	o.Load.Reset()
	if r := o.Load.Read(); r.Good+r.Bad != 0 || r.Typical() != 0 || r.OnWire() != 0 {
		t.Errorf("after a reset: %+v", r)
	}
}

func TestAnExchangeThatBeganBeforeAResetIsNotCountedAfterIt(t *testing.T) {
	var l Load
	early := l.begin()
	l.Reset()
	late := l.begin()
	l.end(early, Timeout, time.Hour)
	l.end(late, "", time.Second)
	r := l.Read()
	if r.Good != 1 || r.Bad != 0 || r.OnWire() != 2 || r.Typical().Round(time.Millisecond) != time.Second {
		t.Errorf("%+v", r)
	}
	l.begin()
	l.forget()
	if l.onWire != 0 {
		t.Errorf("%d on the wire", l.onWire)
	}
}

func TestTooManyOpenFilesAreToldFromAFailure(t *testing.T) {
	dial := func(err error) error {
		return &url.Error{Op: "Get", Err: &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", err)}}
	}
	lookup := func(text string) error { return &net.DNSError{Err: text, Name: "a.example"} }
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"none left for the process", dial(syscall.EMFILE), true},
		{"none left in the system", dial(syscall.ENFILE), true},
		{"none left for asking a name server", lookup("dial udp 10.0.0.1:53: socket: " + syscall.EMFILE.Error()), true},
		{"refused", dial(syscall.ECONNREFUSED), false},
		{"a name that is not known", lookup("no such host"), false},
		{"a text that only sounds like it", fmt.Errorf("%s", syscall.EMFILE.Error()), false},
		{"nothing", nil, false},
	} {
		if got := outOfFiles(c.err); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// There is a way to make a dialer fail like that without opening files: a transport that does.
func TestATaskForWhichThereWereNoFilesGoesBackAndLosesNothing(t *testing.T) {
	for _, robots := range []bool{false, true} {
		checkNoFiles(t, robots)
	}
}

func checkNoFiles(t *testing.T, robots bool) {
	t.Helper()
	o := quick()
	o.Load, o.Robots = &Load{}, robots
	c := newClient(t, o)
	c.http.Transport = failing{os.NewSyscallError("socket", syscall.EMFILE)}
	r := c.Do(t.Context(), t.Context(), Request{URL: "http://a.example/"})
	if !r.NoFiles || r.RetryAt.IsZero() || r.Made != 0 || len(r.Failed) != 0 || r.Failure != nil || r.Stopped {
		t.Errorf("robots obeyed: %t: %+v", robots, r)
	}
	if l := o.Load.Read(); l.Bad != 0 {
		t.Errorf("it counts as load: %+v", l)
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func (f failing) CloseIdleConnections() {}
