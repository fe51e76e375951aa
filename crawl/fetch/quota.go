package fetch

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// spent reads what an answer says of its quota, and returns how long the host wants to be left alone: until the quota
// is renewed, when nothing of it remains. 0 when something remains or nothing is said. Never over limit.
//
// There are three ways to say it:
//   - RateLimit: "name";r=0;t=30, of draft-ietf-httpapi-ratelimit-headers from 08 on, with several quotas in a list, and
//     limit=100, remaining=0, reset=30 of 07;
//   - RateLimit-Remaining and RateLimit-Reset, in seconds from now, of the drafts before;
//   - X-RateLimit-Remaining and X-RateLimit-Reset (X-Rate-Limit-… at some): in seconds from now, or as a Unix time in
//     seconds (GitHub) or milliseconds. They are told apart by their size: no wait is as long as 1e9 seconds.
func spent(header http.Header, now time.Time, limit time.Duration) time.Duration {
	if fields := header["Ratelimit"]; len(fields) > 0 { // as net/http writes the name
		return renewed(structured(strings.Join(fields, ",")), now, limit)
	}
	for _, prefix := range quotaPrefixes {
		if left := header[prefix.remaining]; len(left) > 0 {
			if strings.TrimSpace(left[0]) != "0" {
				return 0
			}
			return renewed(header.Get(prefix.reset), now, limit)
		}
	}
	return 0
}

var quotaPrefixes = []struct{ remaining, reset string }{
	{"X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
	{"Ratelimit-Remaining", "Ratelimit-Reset"},
	{"X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"},
}

// renewed turns a reset, seconds or a Unix time, into a wait.
func renewed(text string, now time.Time, limit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil && !math.IsInf(n, 1), math.IsNaN(n), n <= 0:
		return 0
	case n >= 1e12:
		n = n/1000 - float64(now.UnixMilli())/1000
	case n >= 1e9:
		n -= float64(now.UnixMilli()) / 1000
	}
	return time.Duration(min(max(n, 0), limit.Seconds()) * float64(time.Second))
}

// structured finds the longest reset among the quotas of a RateLimit field of which nothing remains; "" when there is
// none.
func structured(field string) string {
	if strings.Contains(strings.ToLower(field), "remaining=") { // of 07: one quota in a list of its parts
		field = strings.ReplaceAll(field, ",", ";")
	}
	longest, most := "", 0.0
	for quota := range strings.SplitSeq(field, ",") {
		left, reset := "", ""
		for part := range strings.SplitSeq(quota, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			switch strings.ToLower(name) {
			case "r", "remaining":
				left = value
			case "t", "reset":
				reset = value
			}
		}
		if n, err := strconv.ParseFloat(reset, 64); left == "0" && err == nil && n > most {
			longest, most = reset, n
		}
	}
	return longest
}
