package fetch

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// The benchmarks compare Do with net/http alone on the same transport, against a loopback site that answers 300
// bytes of JSON. The site runs in the same process and costs most of the time; the difference is what counts.

func benchSite(b *testing.B) string {
	product := []byte(`{"id":1,"name":"` + strings.Repeat("x", 280) + `"}`)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(product)
	}))
	b.Cleanup(site.Close)
	return site.URL + "/product/1"
}

func benchClient(b *testing.B, o Options) *Client {
	c, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	return c
}

func BenchmarkBareClient(b *testing.B) {
	b.Run("no deadline", func(b *testing.B) { benchBare(b, 0) })
	b.Run("deadline", func(b *testing.B) { benchBare(b, 30*time.Second) })
}

func benchBare(b *testing.B, timeout time.Duration) {
	url := benchSite(b)
	c := benchClient(b, Options{Concurrency: 64})
	c.http.Timeout = timeout
	b.ReportAllocs()
	for b.Loop() {
		response, err := c.http.Get(url)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadAll(response.Body); err != nil {
			b.Fatal(err)
		}
		_ = response.Body.Close()
	}
}

func benchDo(b *testing.B, o Options) {
	url := benchSite(b)
	c := benchClient(b, o)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	abort, cancelAbort := context.WithCancel(context.Background())
	defer cancelAbort()
	b.ReportAllocs()
	for b.Loop() {
		if r := c.Do(ctx, abort, Request{URL: url}); r.Page == nil {
			b.Fatal(r)
		}
	}
}

func BenchmarkDo(b *testing.B) { benchDo(b, Options{Concurrency: 64}) }

func BenchmarkDoWithRate(b *testing.B) {
	b.Run(Smooth, func(b *testing.B) { benchDo(b, Options{Concurrency: 64, Rate: 1e8}) })
	b.Run(Bucket, func(b *testing.B) { benchDo(b, Options{Concurrency: 64, Rate: 1e8, Limiter: Bucket}) })
}

// BenchmarkPolicies is what failsafe-go's part of a Do costs: an attempt that does nothing.
func BenchmarkPolicies(b *testing.B) {
	c := benchClient(b, Options{Concurrency: 64})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	one := &call{client: c, ctx: ctx, abort: ctx}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = c.hosts.get("host").executor.WithContext(ctx).Get(one.idle)
	}
}

func (c *call) idle() (*call, error) { return c, nil }

// fakeAnswer is a site without a wire: what is left is Do and http.Client.
type fakeAnswer struct{ http.Header }

func (f fakeAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader("{}"))
	return &http.Response{StatusCode: 200, Header: f.Header, ContentLength: 2, Body: body, Request: r}, nil
}

func BenchmarkOverhead(b *testing.B) {
	c := benchClient(b, Options{Concurrency: 64})
	c.http.Transport = fakeAnswer{http.Header{"Content-Type": {"application/json"}}}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.Run("bare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			response, err := c.http.Get("http://shop.example/product/1")
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.ReadAll(response.Body)
			_ = response.Body.Close()
		}
	})
	b.Run("do", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if r := c.Do(ctx, ctx, Request{URL: "http://shop.example/product/1"}); r.Page == nil {
				b.Fatal(r)
			}
		}
	})
}
