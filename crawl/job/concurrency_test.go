package job

import (
	"errors"
	"testing"
)

func TestAConcurrencyIsANumberOrARangeThatFollowsTheAnswers(t *testing.T) {
	for text, want := range map[string]Concurrency{
		"1": {1, 1}, "auto": {4, 1000}, "{min: 50, max: 2000}": {50, 2000}, "{min: 5}": {5, 1000}, "{max: 20}": {4, 20},
		"{max: 2}": {2, 2}, "{min: 5000}": {5000, 5000}, "{}": {4, 1000}, "{min: 7, max: 7}": {7, 7},
	} {
		got := load(t, "concurrency: "+text+"\nstart: https://a.example/\nrecords: {fields: {a: b}}\n").Concurrency
		if got != want || got.Auto() != (want.Min < want.Max) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestAConcurrencyOnTheCommandLineIsANumberOrAuto(t *testing.T) {
	for text, want := range map[string]Concurrency{"8": {8, 8}, "auto": {4, 1000}, " 100000 ": {100_000, 100_000}} {
		if got, err := ParseConcurrency(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "100001", "Auto", "1.5", "{min: 5}"} {
		if got, err := ParseConcurrency(text); !errors.Is(err, ErrConcurrency) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}
