package fetch

import (
	"net/url"
	"testing"
	"time"
)

// permits asks a limiter n times at once and tells when, from the start, each permit may be used. No time needs to
// pass for it: limiters give permits ahead.
func permits(l limiter, n int) []time.Duration {
	start := time.Now()
	at := make([]time.Duration, n)
	for i := range at {
		wait := min(l.reserve(), 1<<62) // not to overflow below
		at[i] = time.Since(start) + wait
	}
	return at
}

// colly #191, #266: a limit is a rate: in no second are there more requests than it says.
func TestALimitIsARate(t *testing.T) {
	tests := map[string]struct {
		options Options
		atOnce  int // what may come on top, from a rested start
	}{
		"smooth":         {Options{Rate: 500, Limiter: Smooth}, 1},
		"smooth, uneven": {Options{Rate: 333.3, Limiter: Smooth}, 1},
		"smooth, slow":   {Options{Rate: 0.5, Limiter: Smooth}, 1},
		"bucket":         {Options{Rate: 500, Limiter: Bucket, Burst: 100}, 100},
		"bucket of one":  {Options{Rate: 500, Limiter: Bucket, Burst: 1}, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := test.options.withDefaults()
			at := permits(newLimiter(&o), 3000)
			allowed := int(o.Rate) + test.atOnce + 1
			for first, last := 0, 0; last < len(at); last++ {
				for at[last]-at[first] >= time.Second {
					first++
				}
				if n := last - first + 1; n > allowed {
					t.Fatalf("%d permits within a second up to %v, allowed are %d", n, at[last], allowed)
				}
			}
			if longest := time.Duration(float64(len(at)) / o.Rate * float64(time.Second)); at[len(at)-1] > longest+time.Second {
				t.Errorf("the last permit is at %v, should be by %v: slower than the rate", at[len(at)-1], longest)
			}
		})
	}
}

func TestRatesBeyondReasonNeitherPanicNorBurst(t *testing.T) {
	for _, rate := range []float64{1e-300, 1e-9, 1e9, 1e300} {
		for _, kind := range []string{Smooth, Bucket} {
			o := Options{Rate: rate, Limiter: kind}.withDefaults()
			for _, at := range permits(newLimiter(&o), 3) {
				if at < 0 {
					t.Errorf("rate %v, %s: a permit at %v", rate, kind, at)
				}
			}
		}
	}
	if newLimiter(&Options{}) != nil {
		t.Error("rate 0 is no limit")
	}
}

func TestAHostIsTheSameHowEverItIsWritten(t *testing.T) {
	tests := map[string]string{
		"http://shop.example/a":      "shop.example",
		"https://SHOP.example:443/b": "shop.example",
		"http://shop.example:80":     "shop.example",
		"http://shop.example:/":      "shop.example",
		"http://shop.example:443":    "shop.example:443",
		"http://u:p@shop.example:81": "shop.example:81",
		"http://[::1]:80/":           "[::1]",
		"http://[::1]/":              "[::1]",
		"http://BÜCHER.example:80/":  "xn--bcher-kva.example", // as it is sent
	}
	for text, want := range tests {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := hostKey(u); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
