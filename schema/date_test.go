package schema

import (
	"testing"
	"time"
)

// datetime cleans a text and writes the value for people: "" is NULL.
func datetime(t *testing.T, text string) string {
	t.Helper()
	table := one(t, Field{Type: Type{Kind: Datetime}})
	row, reject := table.Clean([]Raw{found(text)}, "")
	if reject != nil {
		return "reject"
	}
	return table.Text(0, row.Values[0])
}

func TestDatetimesAreUnixMillisecondsUTC(t *testing.T) {
	const half = "2026-02-04T06:30:00.000Z"
	for text, want := range map[string]string{
		"2026-02-04T06:30:00Z":                  half,
		"2026-02-04T06:30:00.123456789Z":        "2026-02-04T06:30:00.123Z",
		"2026-02-04T06:30:00.9999Z":             "2026-02-04T06:30:00.999Z",
		"2026-02-04t06:30:00,5z":                "2026-02-04T06:30:00.500Z",
		"2026-02-04T14:30:00+08:00":             half,
		"2026-02-04 14:30 +0800":                half,
		"2026-02-03T20:30-10":                   half,
		"2026-02-04 06:30:00 UTC":               half,
		"2026-02-04 06:30":                      half,
		"2026-2-4 6:30":                         half,
		"2026/02/04 06:30:00":                   half,
		"2026.02.04 06:30":                      half,
		"2026-02-04":                            "2026-02-04T00:00:00.000Z",
		"Wed, 04 Feb 2026 06:30:00 GMT":         half,
		"Wed, 4 Feb 2026 06:30:00 GMT":          half,
		"Wed, 04 Feb 2026 14:30:00 +0800":       half,
		"04 Feb 26 06:30 GMT":                   half,
		"04 Feb 26 01:30 EST":                   half,
		"04 Feb 26 14:30 +0800":                 half,
		"Wednesday, 04-Feb-26 06:30:00 GMT":     half,
		"Sunday, 06-Nov-94 08:49:37 GMT":        "1994-11-06T08:49:37.000Z",
		"4 February 2026":                       "2026-02-04T00:00:00.000Z",
		"Feb 4, 2026":                           "2026-02-04T00:00:00.000Z",
		"Feb. 4, 2026, 06:30":                   half,
		"2026年2月4日 06:30":                       half,
		"2026年02月04日06:30:00":                   half,
		"2026年2月4日 6时30分":                       half,
		"2026年2月4日6点30分0秒":                      half,
		"２０２６年２月４日":                             "2026-02-04T00:00:00.000Z",
		"24/02/2026":                            "2026-02-24T00:00:00.000Z",
		"02/24/2026 06:30":                      "2026-02-24T06:30:00.000Z",
		"24.02.2026":                            "2026-02-24T00:00:00.000Z",
		"04-04-2026":                            "2026-04-04T00:00:00.000Z",
		"1960-01-01T00:00:00.5Z":                "1960-01-01T00:00:00.500Z",
		"2024-02-29":                            "2024-02-29T00:00:00.000Z",
		"2026-02-04T06:30:00+8":                 "2026-02-03T22:30:00.000Z",
		"Wed, Feb 4 2026":                       "2026-02-04T00:00:00.000Z",
		"Wednesday, February 4, 2026":           "2026-02-04T00:00:00.000Z",
		"2026年2月4日 14:30 +08:00":                half,
		"2026年2月4號 6時30分":                       half,
		"2026-02-04 14:30 GMT+8":                half,
		"2026-02-04 14:30 UTC+08:00":            half,
		"2026-02-03T22:30:00−08:00":             half,
		"Wed, 04 Feb 2026 14:30:00 +0800 (CST)": half,
		"February 4, 2026 6:30 AM":              half,
		"Feb 4, 2026 2:30:05 pm":                "2026-02-04T14:30:05.000Z",
		"2026-02-04 12:30 AM":                   "2026-02-04T00:30:00.000Z",
		"2026-02-04 12:30 PM UTC":               "2026-02-04T12:30:00.000Z",
		"2026-02-04 2:30PM +0800":               half,
		"2026-02-04 14:30 PM +08:00":            half,
		"2026年2月4日 下午2:30":                      "2026-02-04T14:30:00.000Z",
		"2026年2月4日上午6时30分":                      half,
		"2026年2月4日 下午12:30":                     "2026-02-04T12:30:00.000Z",
	} {
		if got := datetime(t, text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsNoDatetimeIsNotMadeOne(t *testing.T) {
	for _, text := range []string{
		"2026\u00a002",
		"2026-02-29",
		"1900-02-29",
		"2026-13-01",
		"2026-02-04T24:00:00Z",
		"2026-02-04T06:60",
		"2026-02-04T06:30:60Z",
		"2026-02-04T06:30:00.Z",
		"2026-02-04T06:30:00Zx",
		"2026-02-04T06:30:00+800",
		"2026-02-04T06:30:00 IST",
		"2026-02/04",
		"2026-02-04,",
		"2026-02-04T",
		"0000-01-01",
		"0001-01-01T00:00:00+01:00",
		"9999-12-31T23:59:59-01:00",
		"1770186600",
		"1770186600000",
		"20260204",
		"yesterday",
		"31/31/2026",
		"31/02/2026",
		"13/13/2026",
		"2026年2月",
		"2026年2月4日 6时",
		"Wed",
		"Wed, 04 Fbe 2026 06:30:00 GMT",
		"2026-02-04 14:30 AM",
		"2026-02-04 0:30 PM",
		"2026-02-04 2:30 XM",
		"2026年2月4日 下午",
		"2026-02-04 14:30 GMT+",
		"2026-02-04 14:30 EST+8",
		"2026-02-04 14:30 +0800 (CST",
		"2026-02-04 14:30 +0800 x",
	} {
		if got := datetime(t, text); got != "" {
			t.Errorf("%q is %q, want nothing", text, got)
		}
	}
}

func TestADateThatMayBeAnotherIsRejected(t *testing.T) {
	for _, text := range []string{
		"04/02/2026", "04.02.2026 06:30", "12-11-2026", "24/02/26", "04-Feb-26", "2026-02-04 06:30 CST",
		"2/4/2026 2:30 PM", "2026年2月4日 上午12:30",
	} {
		if got := datetime(t, text); got != "reject" {
			t.Errorf("%q is %q, want a reject", text, got)
		}
	}
}

func TestADateIsTheOneThatIsWritten(t *testing.T) {
	for text, want := range map[string]any{
		"2026-02-04":                "2026-02-04",
		"2026-2-4":                  "2026-02-04",
		"2026-02-04T23:30:00-08:00": "2026-02-04",
		"0999-01-01":                "0999-01-01",
		"04/02/2026":                "reject",
		"2026-02-30":                nil,
	} {
		if got := outcome(t, Field{Type: Type{Kind: Date}}, found(text)); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

func TestTheTimeOfFetchingIsReadBackToTheMillisecond(t *testing.T) {
	at := time.Date(2026, 2, 4, 6, 30, 0, 123456789, time.UTC)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.000Z07:00"} {
		got := outcome(t, Field{Type: Type{Kind: Datetime}}, found(at.Format(layout)))
		if got != at.UnixMilli() {
			t.Errorf("%s: got %v, want %d", at.Format(layout), got, at.UnixMilli())
		}
	}
}
