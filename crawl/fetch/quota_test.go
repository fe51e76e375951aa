package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// say gives an answer: its status, then its headers as Name=value, separated by ; where no quota is in quotes.
func say(w http.ResponseWriter, answer string) {
	status, rest, _ := strings.Cut(answer, " ")
	all := strings.Split(rest, ";")
	if strings.Contains(rest, `"`) {
		all = []string{rest}
	}
	for _, header := range all {
		name, value, _ := strings.Cut(header, "=")
		w.Header().Set(name, value)
	}
	var code int
	_, _ = fmt.Sscan(status, &code)
	w.WriteHeader(code)
}

func TestAQuotaThatIsSpentSaysHowLong(t *testing.T) {
	now := time.Unix(1_750_000_000, 0)
	for _, test := range []struct {
		headers string
		want    time.Duration
	}{
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 30", 30 * time.Second},
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1750000040", 40 * time.Second},        // GitHub
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1750000040000", 40 * time.Second},     // milliseconds
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1749999999", 0},                       // over
		{"x-rate-limit-remaining: 0\nx-rate-limit-reset: 1750000009", 9 * time.Second},       // X
		{"RateLimit-Limit: 10\nRateLimit-Remaining: 0\nRateLimit-Reset: 7", 7 * time.Second}, // drafts up to 06
		{"RateLimit: limit=10, remaining=0, reset=5", 5 * time.Second},                       // 07
		{`RateLimit: "default";r=0;t=30`, 30 * time.Second},
		{`RateLimit: "burst";r=0;t=2, "day";r=0;t=90, "month";r=3;t=99999`, 90 * time.Second},
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 99999999", time.Hour},
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1e999", time.Hour},
		{`RateLimit: "default";r=5;t=30`, 0},
		{"X-RateLimit-Remaining: 1\nX-RateLimit-Reset: 30", 0},
		{"X-RateLimit-Remaining: 0", 0},
		{"X-RateLimit-Reset: 30", 0},
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: soon", 0},
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: NaN", 0},
		{"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: -5", 0},
		{"RateLimit: ;;,=,\"", 0},
	} {
		if got := spent(parseHeaders(test.headers), now, time.Hour); got != test.want {
			t.Errorf("%q: %v, want %v", test.headers, got, test.want)
		}
	}
}

func parseHeaders(text string) http.Header {
	h := http.Header{}
	for line := range strings.SplitSeq(text, "\n") {
		name, value, _ := strings.Cut(line, ":")
		h.Add(name, strings.TrimSpace(value))
	}
	return h
}

func FuzzAQuotaIsNeverAWaitOutsideOfItsBounds(f *testing.F) {
	f.Add("0", "30", `"a";r=0;t=5`)
	f.Add("0", "1750000000", "limit=1, remaining=0, reset=9")
	f.Add("0", "1e400", `"a";r=0;t=NaN, "b";r=0;t=-1`)
	f.Fuzz(func(t *testing.T, remaining, reset, field string) {
		for _, h := range []http.Header{
			{"X-Ratelimit-Remaining": {remaining}, "X-Ratelimit-Reset": {reset}}, {"Ratelimit": {field}},
		} {
			if got := spent(h, time.Unix(1_750_000_000, 0), time.Hour); got < 0 || got > time.Hour {
				t.Errorf("%v: %v", h, got)
			}
		}
	})
}
