package schema

import (
	"strings"
	"testing"
	"time"
)

// byLayout cleans a text with a layout and writes the value for people: "" is NULL.
func byLayout(t *testing.T, kind, layout, text string) string {
	t.Helper()
	table := one(t, Field{Type: typed(t, kind), Layout: layout})
	row, reject := table.Clean([]Raw{found(text)}, "")
	if reject != nil {
		return "reject"
	}
	return table.Text(0, row.Values[0])
}

func TestALayoutSettlesWhichDateIsMeant(t *testing.T) {
	const noon = "2026-02-04T14:30:05.000Z"
	for _, c := range []struct{ kind, layout, text, want string }{
		{"date", "02/01/2006", "04/02/2026", "2026-02-04"},
		{"date", "01/02/2006", "04/02/2026", "2026-04-02"},
		{"date", "%d/%m/%Y", "04/02/2026", "2026-02-04"},
		{"date", "%m/%d/%Y", "04/02/2026", "2026-04-02"},
		{"date", "%d.%m.%y", "04.02.26", "2026-02-04"},
		{"date", "%d.%m.%y", "4.2.26", "2026-02-04"},
		{"date", "2.1.06", "04.02.69", "1969-02-04"},
		{"date", "%Y_%m_%d", "2026_02_04", "2026-02-04"},
		{"date", "2006_01_02", "2026_02_04", "2026-02-04"},
		{"date", "%Y%m%d", "20260204", "2026-02-04"},
		{"date", "20060102", "20260204", "2026-02-04"},
		{"date", "%Y-%j", "2026-035", "2026-02-04"},
		{"date", "%A, %d %B %Y", "wednesday, 4 FEBRUARY 2026", "2026-02-04"},
		{"date", "%Y年%m月%d日", "2026年2月4日", "2026-02-04"},
		{"date", "%Y年%m月%d日", "２０２６年２月４日", "2026-02-04"},
		{"date", "2006年1月2日", "2026年2月4日", "2026-02-04"},
		{"date", "%% %d/%m/%Y", "% 04/02/2026", "2026-02-04"},
		{"date", "%e %b %Y", "4 Feb 2026", "2026-02-04"},
		{"date", "%d/%m/%Y %H:%M CET", "04/02/2026 23:30 CET", "2026-02-04"},
		{"date", "%d/%m/%Y %H:%M %z", "04/02/2026 23:30 -0800", "2026-02-04"},
		{"datetime", "%d/%m/%Y %H:%M:%S", "04/02/2026 14:30:05", noon},
		{"datetime", "02/01/2006 15:04:05", "04/02/2026 14:30:05", noon},
		{"datetime", "%d/%m/%Y", "04/02/2026", "2026-02-04T00:00:00.000Z"},
		{"datetime", "%Y%m%d%H%M%S", "20260204143005", noon},
		{"datetime", "%c", "Wed Feb  4 14:30:05 2026", noon},
		{"datetime", "%d/%m/%Y %I:%M:%S %p", "04/02/2026 02:30:05 PM", noon},
		{"datetime", "%d/%m/%Y %I:%M:%S %p", "04/02/2026 2:30:05 pm", noon},
		{"datetime", "1/2/2006 3:04:05 PM", "2/4/2026 2:30:05 PM", noon},
		{"datetime", "%Y-%m-%d %H:%M:%S.%f", "2026-02-04 14:30:05.123456", "2026-02-04T14:30:05.123Z"},
		{"datetime", "%Y-%m-%d %H:%M:%S.%f", "2026-02-04 14:30:05.5", "2026-02-04T14:30:05.500Z"},
		{"datetime", "2006-01-02 15:04:05.000", "2026-02-04 14:30:05.123", "2026-02-04T14:30:05.123Z"},
		{"datetime", "2006-01-02 15:04:05.999", "2026-02-04 14:30:05", noon},
		{"datetime", "%d.%m.%Y %H:%M:%S %z", "04.02.2026 22:30:05 +0800", noon},
		{"datetime", "%d.%m.%Y %H:%M:%S %z", "04.02.2026 22:30:05 +08:00", noon},
		{"datetime", "%d.%m.%Y %H:%M:%S%z", "04.02.2026 14:30:05Z", noon},
		{"datetime", "02.01.2006 15:04:05 -07:00", "04.02.2026 22:30:05 +08:00", noon},
		{"datetime", "02.01.2006 15:04:05 -07:00", "04.02.2026 06:30:05 −08:00", noon},
		{"datetime", "%d.%m.%Y %H:%M:%S %Z", "04.02.2026 14:30:05 UTC", noon},
		{"datetime", "%d.%m.%Y %H:%M:%S %Z", "04.02.2026 09:30:05 EST", noon},
		{"datetime", "02.01.2006 15:04:05 MST", "04.02.2026 14:30:05 GMT", noon},
		{"datetime", "2006-01-02T15:04:05Z", "2026-02-04T14:30:05Z", noon},
		{"datetime", "%d-%m-%Y %H:%M:%S GMT", "04-02-2026 14:30:05 GMT", noon},
		{"datetime", "02-01-2006 15:04:05 Uhr", "04-02-2026 14:30:05 Uhr", noon},
		{"datetime", "1-2-2006 3:04:05 PM", "2-4-2026 2:30:05 PM", noon},
		{"datetime", "02.01.2006 15:04:05 MST", "04.02.2026 22:30:05 GMT+8", noon},
		{"datetime", "02.01.2006 15:04:05 MST", "04.02.2026 14:30:05 CST", "reject"},
		{"datetime", "02.01.2006 15:04:05 MST", "04.02.2026 14:30:05 CET", ""},
		{"datetime", "02.01.2006 15:04:05 MST", "04.02.2026 14:30:05 +08", ""},
		{"datetime", "02.01.2006 15:04:05 -0700 MST", "04.02.2026 22:30:05 +0800 CST", noon},
		{"datetime", "02.01.2006 15:04:05 -0700 MST", "04.02.2026 14:30:05 +0000 WET", noon},
	} {
		if got := byLayout(t, c.kind, c.layout, c.text); got != c.want {
			t.Errorf("%s %q with %q is %q, want %q", c.kind, c.text, c.layout, got, c.want)
		}
	}
}

func TestATextThatDoesNotFitItsLayoutIsNoDate(t *testing.T) {
	for layout, texts := range map[string][]string{
		"%d/%m/%Y": {"2026-02-04", "04/02/2026 14:30", "on 04/02/2026", "04/02/26", "04.02.2026", "31/02/2026", "02/24/2026",
			"4 February 2026", "04/02/0000", "N/A", "04/02", "04//02/2026", "04/02/2026Z"},
		"02/01/2006": {"2026-02-04", "04/02/2026 14:30", "4/02/2026", "04/02/26", "29/02/2026"},
		"2006-01-02 15:04:05": {"2026-02-04 14:30:05.123", "2026-02-04 14:30", "2026-02-04T14:30:05",
			"2026-02-04 14:30:05 +08:00"},
		"2006-01-02 15:04:05.000": {"2026-02-04 14:30:05,123", "2026-02-04 14:30:05", "2026-02-04 14:30:05.1"},
		"%Y-%m-%d %H:%M:%S":       {"2026-02-04 14:30:05.5", "2026-02-04 14:30:60", "2026-02-04 25:00:00"},
		"%Y-%m-%d %H:%M:%S.%f":    {"2026-02-04 14:30:05", "2026-02-04 14:30:05,5", "2026-02-04 14:30:05."},
		"%d/%m/%y":                {"1/2/+0", "1/2/-5", "01/02/5"},
		"2-1-06":                  {"1-2-+0", "1-2--5", "+1-2-26", "1-+2-26"},
		"06-1-2 15:04:05.00":      {"26-2-4 14:30:05.+5", "26-2-4 14:30:05.-5", "-6-2-4 14:30:05.50"},
		"%Y%m%d":                  {"2026024", "202624", "2026-02-04"},
		"%Y_%m_%d":                {"2026-02-04", "2026_02 04"},
	} {
		for _, text := range texts {
			if got := byLayout(t, "datetime", layout, text); got != "" {
				t.Errorf("%q with %q is %q, want nothing", text, layout, got)
			}
		}
	}
}

func TestALayoutThatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct{ kind, layout, want string }{
		{"date", "YYYY-MM-DD", "year, month and day must stand in it"},
		{"date", "dd/MM/yyyy", "year, month and day must stand in it"},
		{"date", "15:04", "year, month and day must stand in it"},
		{"date", "%H:%M", "year, month and day must stand in it"},
		{"date", "%Y-%m", "year, month and day must stand in it"},
		{"datetime", "%d/%m", "year, month and day must stand in it"},
		{"date", "%%", "year, month and day must stand in it"},
		{"date", "2006-02-02", "the day stands twice"},
		{"datetime", "%Y-%m-%d %H:%m", "the month stands twice"},
		{"datetime", "2006-01-02 15:01", "the month stands twice"},
		{"date", "%Y-%m-%d %Q", `there is no directive "%Q"; there are %Y`},
		{"date", "%Y-%m-%d %", `there is no directive "%"`},
		{"date", "%Y-%m-%d %Ex", `there is no directive "%E"`},
		{"date", "%Y-%m-%d %:d", `there is no directive "%:d"`},
		{"date", "100%% %d/%m/%Y", "take them off the text with match or remove"},
		{"date", "%Y-%m-%d 00:00", "take them off the text with match or remove"},
		{"date", "%Y-%m-%d%f", "stands behind its second and a point"},
		{"datetime", "%Y-%m-%d %I:%M", "one of 12 with PM (or %p)"},
		{"datetime", "2006-01-02 03:04", "one of 12 with PM (or %p)"},
		{"datetime", "%d/%m/%Y %H:%S", "seconds, but no minutes"},
		{"datetime", "2006-01-02 04:05", "the time of day needs an hour"},
		{"datetime", "2006-01-02 15:04:05 +08:00", `"+08:00" in it says no zone`},
		{"datetime", "2006-01-02 15:04:05-0800", `"-0800" in it says no zone`},
		{"datetime", "2006-01-02 15:04 EST", `"EST" in it says no zone`},
		{"datetime", "%d/%m/%Y %H:%M CET", `"CET" in it says no zone`},
		{"date", "200612", "need all their digits"},
		{"date", "212006", "need all their digits"},
		{"datetime", "2006-01-02 345 PM", "need all their digits"},
		{"date", "2006-01-02" + strings.Repeat("-", 1<<20), "longer than 200 bytes"},
		{"text", "2006-01-02", "this field is of type text"},
		{"int", "%Y", "this field is of type int"},
	} {
		table := &Table{Name: "t", Fields: []Field{{Name: "v", Type: typed(t, c.kind), Layout: c.layout}}}
		err := table.Compile()
		if err == nil || !strings.Contains(err.Error(), "layout: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %.80q: %v, want %q", c.kind, c.layout, err, c.want)
		}
	}
}

func TestTheJobsOwnDatesAreISOOrInTheLayout(t *testing.T) {
	for _, layout := range []string{"%d/%m/%Y", "02/01/2006"} {
		for _, written := range []string{"2026-02-04", "04/02/2026"} {
			for _, kind := range []string{"date", "datetime"} {
				f := Field{Type: typed(t, kind), Layout: layout}
				want := outcome(t, f, found("04/02/2026"))
				bounded, listed, filled := f, f, f
				bounded.Min, bounded.Max, bounded.Clamp = &written, &written, true
				listed.In, filled.Default = []string{written}, &written
				for name, got := range map[string]any{
					"min": outcome(t, bounded, found("01/01/1999")), "max": outcome(t, bounded, found("31/12/2030")),
					"in": outcome(t, listed, found("04/02/2026")), "default": outcome(t, filled, found("2026-02-04")),
				} {
					if got != want || want == nil {
						t.Errorf("%s %s %s with %s: %v, want %v", kind, name, written, layout, got, want)
					}
				}
			}
		}
	}
}

func TestALayoutDoesNotAskTheMachineForItsZone(t *testing.T) {
	zone := time.Local
	defer func() { time.Local = zone }()
	time.Local = time.FixedZone("AST", 3*3600)
	for text, want := range map[string]string{
		"04.02.2026 14:30 AST": "", "04.02.2026 14:30 UTC": "2026-02-04T14:30:00.000Z",
	} {
		if got := byLayout(t, "datetime", "02.01.2006 15:04 MST", text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestARejectedDateSaysWhatSettlesIt(t *testing.T) {
	for _, c := range []struct{ layout, text, want string }{
		{"", "04/02/2026", `more than one datetime; say how it is written with layout: "02/01/2006" or layout: "%d/%m/%Y"`},
		{"", "2026-02-04 06:30 CST", "CST is a zone of America and one of China"},
		{"2006-01-02 15:04 MST", "2026-02-04 06:30 CST", "CST is a zone of America and one of China"},
	} {
		_, reject := one(t, Field{Type: Type{Kind: Datetime}, Layout: c.layout}).Clean([]Raw{found(c.text)}, "")
		if reject == nil || !strings.HasSuffix(reject.Reason, c.want) || !strings.Contains(reject.Raw, c.text) {
			t.Errorf("%q: %+v", c.text, reject)
		}
	}
}
