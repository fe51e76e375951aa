package fetch

import (
	"context"
	"flag"
	"sync"
	"testing"
	"time"
)

var rateFor = flag.Duration("rate.for", 3*time.Second, "how long BenchmarkRate asks")

// BenchmarkRate asks for 500 a second with many goroutines and reports what that was by the site's clock: per second
// from the first arrival to the last, and at most within any second.
//
//	go test ./crawl/fetch -run '^$' -bench 'Rate$' -benchtime 1x -rate.for 60s
func BenchmarkRate(b *testing.B) {
	for _, limiter := range []string{Smooth, Bucket, Window} {
		b.Run(limiter, func(b *testing.B) {
			var a arrivals
			s := newSite(b, a.handler(fine))
			c := benchClient(b, Options{Concurrency: 64, Rate: 500, Burst: 1, Limiter: limiter})
			ctx, stop := context.WithTimeout(context.Background(), *rateFor)
			defer stop()
			var workers sync.WaitGroup
			for range 64 {
				workers.Go(func() {
					for ctx.Err() == nil {
						c.Do(ctx, ctx, Request{URL: s.URL})
					}
				})
			}
			workers.Wait()
			most := a.most(time.Second)
			b.ReportMetric(float64(len(a.at)-1)/a.at[len(a.at)-1].Sub(a.at[0]).Seconds(), "requests/s")
			b.ReportMetric(float64(most), "most/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
