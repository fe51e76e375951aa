package fetch

import (
	"net/http"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func TestRetryAfterIsReadAsSecondsOrADate(t *testing.T) {
	const limit = 10 * time.Minute
	tests := map[string]struct {
		value, date string
		want        time.Duration
		asked       bool
	}{
		"none":                                   {},
		"seconds":                                {value: "7", want: 7 * time.Second, asked: true},
		"spaces around":                          {value: " 7 ", want: 7 * time.Second, asked: true},
		"a fraction":                             {value: "1.5", want: 1500 * time.Millisecond, asked: true},
		"zero":                                   {value: "0", asked: true},
		"crawlee-python #1995: negative is none": {value: "-5"},
		"garbage":                                {value: "soon"},
		"half a number":                          {value: "7s"},
		"dots":                                   {value: "..."},
		"two numbers":                            {value: "1.2.3"},
		"not a number":                           {value: "NaN"},
		"infinite":                               {value: "Inf"},
		"a day is capped":                        {value: "86400", want: limit, asked: true},
		"more than an int is capped":             {value: "99999999999999999999999999", want: limit, asked: true},
		"more than a float is capped":            {value: string(make9(400)), want: limit, asked: true},
		"a date":                                 {value: "Wed, 04 Mar 2026 12:00:30 GMT", want: 30 * time.Second, asked: true},
		"a date of the old form":                 {value: "Wednesday, 04-Mar-26 12:00:30 GMT", want: 30 * time.Second, asked: true},
		"a date that is over":                    {value: "Wed, 04 Mar 2026 11:00:00 GMT", asked: true},
		"a date far away is capped":              {value: "Fri, 31 Dec 9999 23:59:59 GMT", want: limit, asked: true},
		"a date that is none":                    {value: "Wed, 44 Mar 2026 12:00:30 GMT"},
		"a date by the server's clock, an hour on": {value: "Wed, 04 Mar 2026 13:00:30 GMT", date: "Wed, 04 Mar 2026 13:00:00 GMT", want: 30 * time.Second, asked: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			header := http.Header{"Retry-After": {test.value}, "Date": {test.date}}
			if wait, asked := retryAfter(header, noon, limit); wait != test.want || asked != test.asked {
				t.Errorf("got %v, %v", wait, asked)
			}
		})
	}
}

func make9(n int) []byte {
	nines := make([]byte, n)
	for i := range nines {
		nines[i] = '9'
	}
	return nines
}

// scrapy #3849: 503 is a throttle only when the server says until when; a Retry-After that says nothing is none.
func TestA503IsAThrottleWhenItSaysUntilWhen(t *testing.T) {
	for value, want := range map[string]Kind{"": Server, "soon": Server, "-1": Server, "0": Throttled, "5": Throttled} {
		_, asked := retryAfter(http.Header{"Retry-After": {value}}, noon, time.Minute)
		if got := statusKind(503, asked); got != want {
			t.Errorf("Retry-After %q: %s, want %s", value, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, value := range []string{"", "7", "-1", "0", "1e9", "86400", "1.", ".", "Wed, 04 Mar 2026 12:00:30 GMT", "Sun Nov  6 08:49:37 1994", "99999999999999999999"} {
		f.Add(value, "")
		f.Add(value, "Wed, 04 Mar 2026 13:00:00 GMT")
	}
	f.Fuzz(func(t *testing.T, value, date string) {
		wait, asked := retryAfter(http.Header{"Retry-After": {value}, "Date": {date}}, noon, time.Minute)
		if wait < 0 || wait > time.Minute || wait > 0 && !asked {
			t.Errorf("%q: %v, %v", value, wait, asked)
		}
	})
}
