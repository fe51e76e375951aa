package crawl_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/internal/practice"
)

var (
	capacityRounds = flag.Int("capacity.rounds", 1, "rounds of BenchmarkCapacity")
	capacityPhase  = flag.Duration("capacity.phase", 5*time.Second, "how long BenchmarkCapacity's site has each capacity")
)

// capacities are what the site can take in the three phases of BenchmarkCapacity.
var capacities = []int{200, 30, 200}

const capacityJob = `start: {url: "%s/v1/product/{id}", id: 1..10000000}
rate: none
concurrency: %s
retry: {attempts: 1000, delay: 50ms, max_delay: 200ms}
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`

// BenchmarkCapacity shows how near a concurrency that follows the answers keeps to what a site can take, when that
// changes in the middle: how many products a second, how many answers that were none, and how far the limit was from
// the capacity. A site that is over it refuses, or takes longer in proportion.
//
//	go test ./crawl -run XXX -bench Capacity -benchtime 1x -v
func BenchmarkCapacity(b *testing.B) {
	var table strings.Builder
	for _, refuse := range []bool{true, false} {
		for _, concurrency := range []string{"auto", "{min: 50, max: 2000}", "30", "200"} {
			name := fmt.Sprintf("refuse=%t/concurrency=%s", refuse, concurrency)
			b.Run(name, func(b *testing.B) {
				for round := range *capacityRounds {
					fmt.Fprintf(&table, "%s round %d\n", name, round+1)
					for i, p := range playPhases(b, concurrency, refuse) {
						fmt.Fprintf(&table, "  capacity %3d: %s\n", capacities[i], p)
					}
				}
			})
		}
	}
	b.Log("\n" + table.String())
}

// phase is what came while the site had one capacity.
type phase struct {
	took      time.Duration
	done, bad int64
	limits    []int // looked at again and again
	capacity  int
}

func (p phase) String() string {
	var sum, off float64
	for _, l := range p.limits {
		sum += float64(l)
		off += math.Abs(float64(l-p.capacity)) / float64(p.capacity)
	}
	n := float64(len(p.limits))
	seconds := p.took.Seconds()
	return fmt.Sprintf("%5.0f good/s, %5.0f bad/s, limit %4.0f on average and %3.0f%% off, %d at the end",
		float64(p.done)/seconds, float64(p.bad)/seconds, sum/n, 100*off/n, p.limits[len(p.limits)-1])
}

func playPhases(b *testing.B, concurrency string, refuse bool) []phase {
	o := practice.Options{Delay: 50 * time.Millisecond, Quiet: true}
	site, err := practice.StartProcess(context.Background(), o, -1)
	if err != nil {
		b.Fatal(err)
	}
	defer site.Close()
	path := filepath.Join(b.TempDir(), "job.yaml")
	if err := os.WriteFile(path, fmt.Appendf(nil, capacityJob, site.URL, concurrency), 0o644); err != nil {
		b.Fatal(err)
	}
	j, err := job.Load(path)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var phases []phase
	watched := make(chan struct{})
	watch := func(p *crawl.Progress) {
		go func() {
			defer close(watched)
			defer cancel()
			phases = watchPhases(b, p, site, refuse)
		}()
	}
	_, err = crawl.Run(ctx, context.Background(),
		crawl.Options{Job: j, Path: path + ".db", Version: "bench", Watch: watch})
	cancel()
	if err != nil {
		b.Fatal(err)
	}
	<-watched
	return phases
}

// watchPhases changes the capacity and looks at what the run makes of it.
func watchPhases(b *testing.B, p *crawl.Progress, site *practice.Process, refuse bool) []phase {
	var phases []phase
	for _, capacity := range capacities {
		if err := site.SetCapacity(practice.Capacity{Requests: capacity, Refuse: refuse}); err != nil {
			b.Error(err)
			return phases
		}
		ph := phase{capacity: capacity}
		began, before := time.Now(), p.Last().Tally
		for time.Since(began) < *capacityPhase {
			time.Sleep(20 * time.Millisecond)
			ph.limits = append(ph.limits, p.Last().Limit)
		}
		last := p.Last().Tally
		ph.took, ph.done, ph.bad = time.Since(began), last.Done-before.Done, last.Retried-before.Retried
		phases = append(phases, ph)
	}
	return phases
}
