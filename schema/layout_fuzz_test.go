package schema

import (
	"strings"
	"testing"
	"time"
)

// layouts are seeds: what people write, and what they write wrong.
var layouts = []string{
	"%d/%m/%Y", "%m/%d/%Y %H:%M", "%d.%m.%y", "%Y%m%d%H%M%S", "%Y-%m-%dT%H:%M:%S.%f%z", "%A, %d. %B %Y", "%Y-%j", "%c",
	"%d %b %Y %I:%M %p", "%Y_%m_%d", "%F %T %Z", "%D", "%d%m%y", "%d%H%m%Y", "%m%S%d%Y", "%H:%M", "%Q", "%", "%%d",
	"%Y年%m月%d日", "02/01/2006", "01/02/06 15:04", "2006-01-02T15:04:05.999Z07:00", "2006_01_02", "2006-1-_2 3:04PM",
	"20060102", "212006", "2006-002", "Mon Jan _2 15:04:05 MST 2006", "02.01.2006 15:04 -0700 MST", "YYYY-MM-DD",
	"2006-01-02 03:04", "2006-01-02,000", "2006-01-02 04:05",
}

func FuzzALayoutReadsWhatItWrites(f *testing.F) {
	for _, layout := range layouts {
		f.Add(layout, int64(1_770_186_605), "04/02/2026")
	}
	f.Add("%d/%m/%Y", int64(0), "２/１２/２０２６")
	f.Add("02.01.2006 15:04 MST", int64(-1), "04.02.2026 14:30 GMT+8")
	f.Fuzz(func(t *testing.T, layout string, unix int64, text string) {
		field := Field{Type: Type{Kind: Datetime}, Layout: layout}
		if layout == "" || field.compileLayout() != nil {
			return
		}
		year := 1969 + int(uint64(unix)>>32%100) // a year of two digits can say these
		at := time.Date(year, 1, 1, 0, 0, int(uint32(unix)>>1), 0, time.UTC)
		for at.Year() != year {
			at = at.AddDate(year-at.Year(), 0, 0)
		}
		written := writes(&field, at)
		v, found := field.parseDatetime(written)
		if found != good || !sameTo(at, time.UnixMilli(v.(int64)).UTC()) {
			t.Fatalf("%q writes %v as %q and reads it as %v", layout, at, written, v)
		}
		date, _ := field.parseDate(written)
		if date != at.Format(time.DateOnly) {
			t.Errorf("%q writes %v as %q, of which the date is %v", layout, at, written, date)
		}
		checkFit(t, &field, text)
	})
}

// writes is the text of a time in the field's layout. %f always has digits, the one thing that its form can't say.
func writes(f *Field, at time.Time) string {
	form := f.layout.forms[0]
	if f.layout.strptime {
		form = strings.NewReplacer(".999999", ".000000", ",999999", ",000000").Replace(form)
	}
	return at.Format(form)
}

// sameTo compares as far as a layout tells: with the clock up to any part of it, or without.
func sameTo(a, b time.Time) bool {
	return a.Equal(b) || a.Truncate(time.Minute).Equal(b) || a.Truncate(time.Hour).Equal(b) ||
		a.Truncate(24*time.Hour).Equal(b)
}

// checkFit holds what every text promises: a value that the layout itself writes in a way that it reads as the same
// value, and that ISO can say.
func checkFit(t *testing.T, field *Field, text string) {
	t.Helper()
	v, found := field.parseDatetime(text)
	if found != good {
		return
	}
	ms := v.(int64)
	if ms < firstMS || ms > lastMS {
		t.Errorf("%q with %q is %d, which no four digits of a year say", text, field.Layout, ms)
	}
	again, found := field.parseDatetime(writes(field, time.UnixMilli(ms).UTC()))
	if found != good || again != v {
		t.Errorf("%q with %q is %v, which it reads back as %v", text, field.Layout, v, again)
	}
	table := &Table{Fields: []Field{{Type: field.Type}}}
	if back, _ := new(Field).parseDatetime(table.Text(0, v)); back != v {
		t.Errorf("%q with %q is %v, which ISO reads back as %v", text, field.Layout, v, back)
	}
}

// What settles a date must be what the text says: an ambiguous text has a value with each order of day and month, and
// no value without.
func FuzzAnAmbiguousDateIsNeverGuessed(f *testing.F) {
	for _, s := range []string{"04/02/2026", "24/02/2026", "02-24-2026", "04.04.2026", "4/2/26", "31/02/2026", "12/12/12",
		"00/01/2026", "04/02-2026"} {
		f.Add(s)
	}
	var orders []Field
	for _, layout := range []string{"2/1/2006", "1/2/2006", "2/1/06", "1/2/06", "06/1/2"} {
		for _, sign := range []string{"/", "-", "."} {
			field := Field{Type: Type{Kind: Date}, Layout: strings.ReplaceAll(layout, "/", sign)}
			if err := field.compileLayout(); err != nil {
				f.Fatal(err)
			}
			orders = append(orders, field)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, found := new(Field).parseDate(s)
		values := map[any]bool{}
		for i := range orders {
			if v, found := orders[i].parseDate(s); found == good {
				values[v] = true
			}
		}
		switch {
		case found == good && len(values) > 0 && (len(values) > 1 || !values[got]):
			t.Errorf("%q is %v, but may be any of %v", s, got, values)
		case found != good && got != nil:
			t.Errorf("%q has a value, %v, though it is %d", s, got, found)
		case found == unreadable && len(values) > 1:
			t.Errorf("%q may be any of %v, but is called unreadable", s, values)
		}
	})
}
