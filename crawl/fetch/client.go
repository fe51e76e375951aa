package fetch

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Client makes requests. It is safe for many goroutines; one is enough for a crawl.
type Client struct {
	options  Options
	http     http.Client
	template http.Request // what all requests share; copied for each attempt, never changed
	hosts    hosts
	robots   robots
	jar      *jar     // nil: no cookies
	proxies  *proxies // nil: none of its own
}

// New makes a Client. Errors name the option that is wrong, without its value if that may be a secret.
func New(o Options) (*Client, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("fetch options: %w", err)
	}
	header, hostLine, err := o.header()
	if err != nil {
		return nil, fmt.Errorf("fetch options: %w", err)
	}
	c := &Client{options: o}
	c.template = http.Request{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, Host: hostLine}
	if c.proxies, err = newProxies(&o); err != nil {
		return nil, fmt.Errorf("fetch options: %w", err)
	}
	if !o.NoCookies {
		c.jar = newJar()
	}
	c.http = http.Client{Transport: transport{newPool(&o), c.jar, c.proxies}, CheckRedirect: c.checkRedirect}
	c.robots = robots{token: productToken(header.Get("User-Agent")), by: map[originKey]*origin{}}
	if o.Rate > 0 {
		c.http.Transport = paced{c.http.Transport}
	}
	c.hosts = hosts{options: &c.options, retry: newRetry(), by: map[string]*host{}}
	return c, nil
}

// Close closes the idle connections. Call it after the last Do has returned: connections that become idle later
// stay for up to 90 s.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Do makes the request, with retries, and returns its page, its final failure, or how the task goes back.
//
// ctx stops: waits (for the host's turn, between attempts) end at once and no new attempt starts. An attempt that is
// under way goes on until it ends, its deadline passes or abort is cancelled, and its page or final failure is
// returned. Cancel ctx no later than abort: waits hear ctx alone. The package's comment has the whole picture.
func (c *Client) Do(ctx, abort context.Context, r Request) Result {
	target, err := newTarget(&r)
	if err != nil {
		return Result{Failure: &Failure{Kind: ClientFault, Err: err}}
	}
	host := c.hosts.get(target.host)
	call := call{client: c, ctx: ctx, abort: abort, request: r, target: target, visit: visit{host: host}}
	call.at = &call.visit
	call.result.visit = &call.visit
	if f := call.collect(); f != nil && call.made() >= c.options.Attempts {
		call.result.Failure = f // it was its last attempt, as is known now
		return call.result
	}
	if err := c.mayAsk(ctx, abort, target.url, c.template.Host); err != nil {
		call.refused(err)
		return call.result
	}
	// What the executor returns is not looked at: the call has it all, and the executor's result is lost when ctx
	// ends during an attempt.
	call.execution = callContext{ctx, &call}
	_, _ = host.executor.WithContext(&call.execution).Get(call.attempt)
	return call.finish(time.Now())
}
