package job

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

var errUnit = errors.New("not understood")

var leadingDays = regexp.MustCompile(`^(\d+)d(.*)$`)

// ParseDuration reads a duration as Go writes it (1m30s, see time.ParseDuration), days (d, of 24 hours) in front allowed:
// 30d, 1d12h. It may be negative.
func ParseDuration(s string) (time.Duration, error) {
	s = strings.TrimSpace(s)
	m := leadingDays.FindStringSubmatch(s)
	if m == nil {
		return time.ParseDuration(s)
	}
	days, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || days > int64(math.MaxInt64/(24*time.Hour))-1 {
		return 0, fmt.Errorf("duration %q: %w", s, errUnit)
	}
	d := time.Duration(days) * 24 * time.Hour
	if m[2] == "" {
		return d, nil
	}
	rest, err := time.ParseDuration(m[2])
	if err != nil || rest < 0 || rest > math.MaxInt64-d {
		return 0, fmt.Errorf("duration %q: %w", s, errUnit)
	}
	return d + rest, nil
}

// parseSize reads a number of bytes with its unit: 10MB is 10,000,000, 10MiB is 10,485,760. A number without a unit is
// refused: whoever writes 10 does not mean ten bytes.
func parseSize(s string) (int64, error) {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "bB") {
		return 0, fmt.Errorf("size %q: %w", s, errUnit)
	}
	v, err := humanize.ParseBytes(s)
	if err != nil {
		return 0, fmt.Errorf("size %q: %w", s, err)
	}
	if v == 0 || v > math.MaxInt64 {
		return 0, fmt.Errorf("size %q: %w", s, errUnit)
	}
	return int64(v), nil
}

// ErrRate is the error of ParseRate; its text is fit for the user.
var ErrRate = errors.New("a rate is written 5/s, 300/m, 1000/h or none")

// units are those of a rate.
var units = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}

// ParseRate reads a number of requests per second, minute or hour and host: "5/s", "0.5/s", "300/m", "1000/h", or "none"
// for no limit. Limiter is "smooth". Errors are ErrRate.
func ParseRate(s string) (Rate, error) {
	s = strings.TrimSpace(s)
	rate := Rate{Burst: 1, Limiter: Smooth}
	if s == "none" {
		return rate, nil
	}
	number, unit, _ := strings.Cut(s, "/")
	per, known := units[strings.TrimSpace(unit)]
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !known || err != nil || !(n > 0) || math.IsInf(n, 0) {
		return Rate{}, fmt.Errorf("%w, not %q", ErrRate, s)
	}
	rate.Limit, rate.Per = n/per.Seconds(), per
	if rate.Limit > maxRate || rate.Limit < minRate {
		return Rate{}, fmt.Errorf("%w; %q is out of reach", ErrRate, s)
	}
	return rate, nil
}

var errShare = errors.New("not a share")

// parseShare reads a share in per cent, 0% to 100%, as a number from 0 to 1.
func parseShare(s string) (float64, error) {
	number, ok := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(v >= 0 && v <= 100) {
		return 0, fmt.Errorf("%q: %w", s, errShare)
	}
	return v / 100, nil
}

// Requests per second: one every 100 days, which a timer still can hold, to more than a machine sends.
const (
	minRate = 1.0 / (100 * 86400)
	maxRate = 1e6
)
