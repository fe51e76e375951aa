package fetch

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dogear/internal/testenv"
)

var login = testenv.Login{User: "ann", Password: "hunter2"}

// through are options with which no test waits long for a proxy to come back.
func through(proxies ...string) Options {
	o := quick()
	o.Proxies, o.ProxyRecovery = proxies, 1000
	return o
}

// secure is a site with TLS, and the options to trust it.
func secure(t *testing.T, c *Client) *site {
	s := &site{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.hits.Add(1)
		_, _ = io.WriteString(w, "hello")
	}))
	s.Config.ErrorLog = quiet
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	config := s.Client().Transport.(*http.Transport).TLSClientConfig
	c.http.Transport.(transport).Transport.TLSClientConfig = config.Clone()
	if c.proxies != nil {
		for _, p := range c.proxies.list {
			p.pool.(*http.Transport).TLSClientConfig = config.Clone()
		}
	}
	return s
}

func TestRequestsGoThroughRealProxiesThatWantAPassword(t *testing.T) {
	http1, socks1 := testenv.TinyProxy(t, login), testenv.MicroSocks(t, login)
	for name, proxy := range map[string]string{
		"HTTP": "http://ann:hunter2@" + http1.Address(), "SOCKS5": "socks5://ann:hunter2@" + socks1.Address(),
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, through(proxy))
			site := secure(t, c)
			for _, url := range []string{site.URL, answering(t, "200").URL} {
				if result := do(c, Request{URL: url}); result.Page == nil || result.Made != 1 || len(result.Failed) > 0 {
					t.Errorf("%s: %+v, %v", url, result, result.Failure)
				}
			}
		})
	}
}

func TestAWrongPasswordIsTheProxysFailureAndCostsNothing(t *testing.T) {
	good := testenv.TinyProxy(t, testenv.Login{})
	for name, proxy := range map[string]string{
		"HTTP":  "http://ann:wrong@" + testenv.TinyProxy(t, login).Address(),
		"SOCKS": "socks5://ann:wrong@" + testenv.MicroSocks(t, login).Address(),
		"none":  "socks5://" + testenv.MicroSocks(t, login).Address(),
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, through(proxy, "http://"+good.Address()))
			site := secure(t, c)
			for range 8 {
				for _, url := range []string{site.URL, answering(t, "200").URL} {
					if result := do(c, Request{URL: url}); result.Page == nil || result.Made != 1 || len(result.Failed) > 0 {
						t.Fatalf("%s: %+v, %v", url, result, result.Failure)
					}
				}
			}
			events := c.ProxyEvents()
			if len(events) != 1 || events[0].All || events[0].Why == "" || strings.Contains(events[0].Why, "wrong") {
				t.Errorf("told: %+v", events)
			}
		})
	}
}

// Whether it is refused or not answered at all, each of many requests has one attempt and no failure.
func TestAProxyThatIsGoneCostsNoAttempt(t *testing.T) {
	good, gone := testenv.TinyProxy(t, testenv.Login{}), testenv.TinyProxy(t, testenv.Login{})
	site := answering(t, "200")
	c := newClient(t, through("http://"+gone.Address(), "http://"+good.Address()))
	ask := func() {
		t.Helper()
		for range 10 {
			if result := do(c, Request{URL: site.URL}); result.Page == nil || result.Made != 1 || len(result.Failed) > 0 {
				t.Fatalf("%+v, %v", result, result.Failure)
			}
		}
	}
	ask()
	for range 2 {
		if err := gone.Kill(); err != nil {
			t.Fatal(err)
		}
		ask()
		if err := gone.Start(); err != nil {
			t.Fatal(err)
		}
		ask()
	}
}

func TestWithNoProxyLeftACallWaitsAndGoesOnWhenOneIsBack(t *testing.T) {
	only := testenv.MicroSocks(t, testenv.Login{})
	site := answering(t, "200")
	c := newClient(t, through("socks5://"+only.Address()))
	if err := only.Kill(); err != nil {
		t.Fatal(err)
	}
	done := make(chan Result)
	for range 5 {
		go func() { done <- do(c, Request{URL: site.URL}) }()
	}
	for len(peek(c)) == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := only.Start(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if result := <-done; result.Page == nil || result.Made != 1 || len(result.Failed) > 0 {
			t.Errorf("%+v, %v", result, result.Failure)
		}
	}
	if events := c.ProxyEvents(); len(events) != 2 || !events[0].All || events[0].Why == "" || !events[1].All ||
		events[1].Why != "" {
		t.Errorf("told: %+v", events)
	}
}

func peek(c *Client) []ProxyEvent {
	c.proxies.mu.Lock()
	defer c.proxies.mu.Unlock()
	return c.proxies.events
}

func TestAnOutageThatLastsPutsTheTaskOffWithoutAnAttempt(t *testing.T) {
	o := through("http://"+testenv.Refusing(t), "socks5://"+testenv.Refusing(t))
	o.ProxyRecovery, o.LeaseWait = 1, 20*time.Millisecond
	c := newClient(t, o)
	result := do(c, Request{URL: "http://127.0.0.1:1/"})
	if result.RetryAt.Before(time.Now()) || result.Made != 0 || result.Failure != nil || len(result.Failed) != 0 {
		t.Errorf("%+v", result)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if result := c.Do(ctx, context.Background(), Request{URL: "http://127.0.0.1:1/"}); !result.Stopped {
		t.Errorf("%+v", result)
	}
}

// A site that can't be reached through any proxy has failed, and no proxy is blamed for it.
func TestASiteThatIsGoneIsNoFailureOfTheProxies(t *testing.T) {
	a, b := testenv.TinyProxy(t, testenv.Login{}), testenv.MicroSocks(t, testenv.Login{})
	for name, proxies := range map[string][]string{
		"one HTTP": {"http://" + a.Address()}, "one SOCKS": {"socks5://" + b.Address()},
		"both": {"http://" + a.Address(), "socks5://" + b.Address()},
	} {
		t.Run(name, func(t *testing.T) {
			o := through(proxies...)
			o.Attempts = 2
			c := newClient(t, o)
			for range 5 {
				result := do(c, Request{URL: "https://" + testenv.Refusing(t) + "/"})
				if wantFailure(t, result, Network); result.Made != 2 {
					t.Errorf("%+v", result)
				}
			}
			wantPage(t, do(c, Request{URL: answering(t, "200").URL}))
			if events := c.ProxyEvents(); len(events) > 0 {
				t.Errorf("told: %+v", events)
			}
		})
	}
}

// crawlee-python #1033: the proxy's credit ran out, and every task burned its retries.
func TestAProxyThatRefusesToServeIsLeftOutWhateverTheStatus(t *testing.T) {
	for _, status := range []int{402, 407, 429, 502} {
		var refused atomic.Int64
		broke := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			refused.Add(1)
			w.WriteHeader(status)
		}))
		defer broke.Close()
		good := testenv.TinyProxy(t, testenv.Login{})
		o := through(broke.URL, "http://"+good.Address())
		o.ProxyRecovery = 0.001
		c := newClient(t, o)
		site := secure(t, c)
		for range 10 {
			c.http.CloseIdleConnections() // a new CONNECT each time
			if result := do(c, Request{URL: site.URL}); result.Page == nil || result.Made != 1 {
				t.Fatalf("%d: %+v, %v", status, result, result.Failure)
			}
		}
		if refused.Load() != 3 {
			t.Errorf("%d: asked %d times, want 3", status, refused.Load())
		}
	}
}

// A proxy that accepts everything and never answers is found out before the attempt's deadline is spent on it for good.
func TestAProxyThatNeverAnswersIsLeftOut(t *testing.T) {
	silent, _ := wire(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	good := testenv.TinyProxy(t, testenv.Login{})
	o := through(silent, "http://"+good.Address())
	o.Timeout, o.ProxyRecovery = 300*time.Millisecond, 0.001
	c := newClient(t, o)
	site := secure(t, c)
	for range 8 {
		c.http.CloseIdleConnections()
		if result := do(c, Request{URL: site.URL}); result.Page == nil || result.Made != 1 {
			t.Fatalf("%+v, %v", result, result.Failure)
		}
	}
	if events := c.ProxyEvents(); len(events) != 1 {
		t.Errorf("told: %+v", events)
	}
}

// Whoever asks without a call's choice must not show the own address either.
func TestNothingGoesAroundTheProxies(t *testing.T) {
	var asked atomic.Int64
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) { asked.Add(1) }})
	defer proxy.Close()
	c := newClient(t, through(proxy.URL))
	response, err := c.http.Get(answering(t, "200").URL)
	if err != nil || response.Body.Close() != nil || asked.Load() != 1 {
		t.Errorf("%v, asked %d times", err, asked.Load())
	}
}

func TestProxiesOfTheEnvironmentAreObeyedWhenTheJobHasNone(t *testing.T) {
	p := newPool(&Options{})
	if p.Proxy == nil {
		t.Error("no look into the environment")
	}
}
