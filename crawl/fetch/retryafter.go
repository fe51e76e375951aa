package fetch

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter reads a Retry-After header (RFC 9110, 10.2.3): seconds, or a date. asked is false when there is none or
// when it means nothing (garbage, a negative number). A wait of zero with asked true is a zero or a date that is over:
// the server did ask for patience, but how long is left to us. Never negative, never over limit.
//
// A date is compared with the answer's own Date, so a clock that differs from ours does no harm; without one with now.
// A fraction of a second is understood, though the RFC has none.
func retryAfter(header http.Header, now time.Time, limit time.Duration) (wait time.Duration, asked bool) {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if strings.Trim(value, "0123456789.") == "" {
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil && !math.IsInf(seconds, 1) {
			return 0, false
		}
		return time.Duration(min(seconds, limit.Seconds()) * float64(time.Second)), true
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		now = date
	}
	return min(max(until.Sub(now), 0), limit), true
}
