package job

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestRatesAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]float64{
		"5/s": 5, "300/m": 5, "1000/h": 1000.0 / 3600, "0.5/s": 0.5, "none": 0, " 5 / s ": 5, "1000000/s": 1e6,
	} {
		got, err := ParseRate(text)
		if err != nil || math.Abs(got.Limit-want) > 1e-12 || got.Burst != 1 || got.Limiter != Smooth {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "5", "5/d", "/s", "0/s", "-1/s", "NaN/s", "Inf/s", "1e300/s", "1e-300/h", "five/s", "5/s/s", "None"} {
		if got, err := ParseRate(text); !errors.Is(err, ErrRate) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestDurationsAreGosAndDays(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"30s": 30 * time.Second, "1m30s": 90 * time.Second, "1d": 24 * time.Hour, "2d12h": 60 * time.Hour, "1.5h": 90 * time.Minute,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "30", "1d1d", "1d-1h", "d", "106752d", "99999999999999999999d", "1 day", "106751d24h"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSizesAreDecimalOrBinary(t *testing.T) {
	for text, want := range map[string]int64{
		"10MB": 10_000_000, "10MiB": 10_485_760, "500kB": 500_000, "1 GiB": 1 << 30, "512B": 512, "1.5MB": 1_500_000, "10mb": 10_000_000,
	} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "10", "10M", "-1MB", "0B", "MB", "10XB", "99999999999EB"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSettingsThatAreLeftOutFollowFromTheOthers(t *testing.T) {
	const rest = "\nstart: https://a.example/\nrecords: {fields: {a: b}}\n"
	if got := load(t, "rate: {limit: 2.5/s, limiter: bucket}"+rest).Rate; got != (Rate{2.5, 3, Bucket, time.Second}) {
		t.Errorf("a bucket holds what a second brings: %+v", got)
	}
	if got := load(t, "rate: {limiter: bucket, burst: 7}"+rest).Rate; got != (Rate{10, 7, Bucket, time.Second}) {
		t.Errorf("the limit has its default: %+v", got)
	}
	if got := load(t, "rate: none"+rest).Rate; got != (Rate{Burst: 1, Limiter: Smooth}) {
		t.Errorf("no rate: %+v", got)
	}
	if got := load(t, "retry: {delay: 5m}"+rest).Retry; got.Delay != 5*time.Minute || got.MaxDelay != 5*time.Minute {
		t.Errorf("a delay over the default longest one lifts it: %+v", got)
	}
	if got := load(t, "retry: {max_delay: 100ms}"+rest).Retry; got.Delay != 100*time.Millisecond || got.MaxDelay != 100*time.Millisecond {
		t.Errorf("a longest delay under the default lowers it: %+v", got)
	}
}

func TestAWindowKeepsTheUnitThatItWasWrittenIn(t *testing.T) {
	const rest = "\nstart: https://a.example/\nrecords: {fields: {a: b}}\n"
	for text, want := range map[string]Rate{
		"{limit: 5/s, limiter: window}":    {5, 1, Window, time.Second},
		"{limit: 300/m, limiter: window}":  {5, 1, Window, time.Minute},
		"{limit: 7200/h, limiter: window}": {2, 1, Window, time.Hour},
	} {
		if got := load(t, "rate: "+text+rest).Rate; got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func TestAShareIsWrittenInPerCent(t *testing.T) {
	for text, want := range map[string]float64{"50%": 0.5, "0%": 0, "100%": 1, " 12.5 % ": 0.125} {
		if got, err := parseShare(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "50", "0.5", "-1%", "101%", "NaN%", "%", "half"} {
		if got, err := parseShare(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := load(t, "start: https://a.example/\nrecords: {fields: {a: b}}\n").Limits.Failures; got != 0.5 {
		t.Errorf("the default is %v", got)
	}
}

func TestANegativeValueDisablesBackOff(t *testing.T) { // scrapy #6837: here it is refused
	for _, setting := range []string{"delay: -1s", "delay: 0s", "max_delay: -1s", "max_wait: 0s", "attempts: -1", "attempts: 0"} {
		if got := problems(t, "retry: {"+setting+"}\nstart: https://a.example/\nrecords: {fields: {a: b}}\n"); !strings.Contains(got, ":1:") {
			t.Errorf("%s: %s", setting, got)
		}
	}
}

func TestTheDefaultTableIsNamedAfterTheJob(t *testing.T) {
	const text = "start: https://a.example/\nrecords: {fields: {a: b}}\n"
	for path, want := range map[string]string{"dir/movies.yaml": "movies", "my-movies.v2.yml": "my_movies_v2", "2024.yaml": "_2024", "电影.yaml": "电影"} {
		job, err := Parse(path, []byte(text), nil)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if got := job.Tables()[0].Name; got != want {
			t.Errorf("%s: table %q, want %q", path, got, want)
		}
	}
	_, err := Parse("tasks.yaml", []byte(text), nil)
	if err == nil || !strings.Contains(err.Error(), "table:") {
		t.Errorf("a name of the state file's own: %v", err)
	}
}

func TestRobotsAreObeyedUnlessTheJobSaysOtherwise(t *testing.T) {
	const rest = "start: https://a.example/\nrecords: {fields: {a: b}}\n"
	for text, want := range map[string]string{"": Obey, "robots: obey\n": Obey, "robots: ignore\n": Ignore} {
		if got := load(t, text+rest).Robots; got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	for _, bad := range []string{"off", "no", "false", "Obey"} {
		if got := problems(t, "robots: "+bad+"\n"+rest); !strings.Contains(got, "robots") || !strings.Contains(got, "ignore") {
			t.Errorf("%s: %s", bad, got)
		}
	}
}
