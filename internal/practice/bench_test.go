package practice

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// sink is a ResponseWriter that costs nothing.
type sink struct{ h http.Header }

func (s *sink) Header() http.Header         { return s.h }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkHandler is the handler alone, without net/http around it.
func BenchmarkHandler(b *testing.B) {
	cases := []struct {
		what, uri string
		o         Options
	}{
		{"product", "/v1/product/12345", Options{Products: 50_000}},
		{"product,quiet", "/v1/product/12345", Options{Products: 50_000, Quiet: true}},
		{"product,in-map", "/v1/product/12345", Options{}},
		{"product,share-of-faults", "/v1/product/12345", Options{Products: 50_000, Faults: []Fault{{Path: "/v1/product/*", Script: "500", Every: 10}}}},
		{"listing", "/page/7", Options{}},
		{"detail", "/detail/77", Options{}},
	}
	for _, c := range cases {
		b.Run(c.what, func(b *testing.B) {
			s := New(c.o)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				r := httptest.NewRequest(http.MethodGet, c.uri, http.NoBody)
				w := &sink{h: http.Header{}}
				for pb.Next() {
					s.ServeHTTP(w, r)
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

// BenchmarkProcess is the site in a process on core 0, asked by clients that
// do as little as possible: what the site can serve at all.
func BenchmarkProcess(b *testing.B) {
	p, err := StartProcess(b.Context(), Options{Products: 50_000}, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		for id := 1; pb.Next(); id = id%50_000 + 1 {
			fmt.Fprintf(conn, "GET /v1/product/%d HTTP/1.1\r\nHost: practice\r\n\r\n", id)
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
