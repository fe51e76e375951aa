package schema

import (
	"testing"
)

// numberOutcome reads text as a decimal(20,3) and names what came of it.
func numberOutcome(t *testing.T, f Field, raw Raw) any {
	f.Type = typed(t, "decimal(20,3)")
	return outcome(t, f, raw)
}

func TestNumbersAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]any{
		"7":                   "7.000",
		"007.5":               "7.500",
		"-12.5":               "-12.500",
		"+3":                  "3.000",
		"−5":                  "-5.000",
		"-0.000":              "0.000",
		"7,999.00":            "7999.000",
		"1.234,56":            "1234.560",
		"1 234,50":            "1234.500",
		"1\u00a0234,50 €":     "1234.500",
		"1\u2009234\u202f567": "1234567.000",
		"1'234'567.8":         "1234567.800",
		"1’234.567":           "1234.567",
		"1,234,567":           "1234567.000",
		"1.234.567":           "1234567.000",
		"12,34,567.5":         "1234567.500",
		"1234.567":            "1234.567",
		"0.234":               "0.234",
		"0,234":               "0.234",
		".5":                  "0.500",
		"1234,567":            "1234.567",
		"￥１，２３４．５０":           "1234.500",
		"$1,299.5":            "1299.500",
		"US$ 5":               "5.000",
		"US $1,299.00":        "1299.000",
		"-$5":                 "-5.000",
		"$-5":                 "-5.000",
		"EUR 12,5":            "12.500",
		"12.50 USD":           "12.500",
		"$5 USD":              "5.000",
		"Rs.500":              "500.000",
		"Rs. 1,23,456.00":     "123456.000",
		"1 299 kr":            "1299.000",
		"12,50 zł":            "12.500",
		"500 руб.":            "500.000",
		"人民币 88 元":            "88.000",
		"1.2万":                "12000.000",
		"3亿":                  "300000000.000",
		"1.5万亿":               "1500000000000.000",
		"5万元":                 "50000.000",
		"¥7,999.00":           "7999.000",
		"1.234,56 €":          "1234.560",
		"USD 1'234.00":        "1234.000",
		"ＵＳＤ　１，２３４．５０":        "1234.500",
		"１２３．５":               "123.500",
		"−5.25":               "-5.250",
		"－５．２５":               "-5.250",
		"1\u202f234,50":       "1234.500",
		"2.0005":              "2.001",
		"-2.0005":             "-2.001",
		"2.00049999":          "2.000",
	} {
		if got := numberOutcome(t, Field{}, found(text)); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

func TestWhatIsNoNumberOrMoreThanOneIsNotMadeOne(t *testing.T) {
	for text, want := range map[string]any{
		"n/a":         nil,
		"¥ 7,999":     "reject",
		"N/A":         nil,
		"-":           nil,
		"—":           nil,
		"15%":         nil,
		"1,23,4":      nil,
		"1,,234":      nil,
		"1,234.567,8": nil,
		"1.234,567.8": nil,
		"12 34":       nil,
		"12.":         nil,
		"$":           nil,
		"万":           nil,
		"5 pen":       nil,
		"1-2":         nil,
		"--5":         nil,
		"1e5":         nil,
		"0x10":        nil,
		"twelve":      nil,
		"12 apples":   nil,
		"1,234":       "reject",
		"1.234":       "reject",
		"-1.234":      "reject",
		"€ 123,456":   "reject",
		"1.234万":      "reject",
	} {
		if got := numberOutcome(t, Field{}, found(text)); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

// price-parser #63, #46, #58 and steampy #174: the same texts, read as their authors meant them or not at all.
func TestPricesThatOthersMisread(t *testing.T) {
	for text, want := range map[string]any{
		"1,234,567.890": "1234567.890",
		"3.350":         "reject", // three and a bit, or three thousand
		",89":           "0.890",
		"￥ 4,234.35":    "4234.350",
		"¥ 4,234.35":    "4234.350",
	} {
		if got := numberOutcome(t, Field{Default: ptr("0")}, found(text)); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

func TestTheDeclaredDecimalSignSettlesIt(t *testing.T) {
	for _, c := range []struct {
		text, decimal string
		want          any
	}{
		{"3.350", ".", "3.350"}, {"3.350", ",", "3350.000"}, {"1,234", ".", "1234.000"}, {"1,234", ",", "1.234"},
		{"1.234,56", ",", "1234.560"}, {"1.234,56", ".", nil}, {"1,2,3", ",", nil}, {"1.23", ",", nil}, {"1'234,5", ",", "1234.500"},
	} {
		if got := numberOutcome(t, Field{Decimal: c.decimal}, found(c.text)); got != c.want {
			t.Errorf("%q with decimal %q is %v, want %v", c.text, c.decimal, got, c.want)
		}
	}
}

func TestANumberFromJSONHasADecimalPoint(t *testing.T) {
	for _, c := range []struct {
		text, decimal string
		want          any
	}{
		{"1.234", "", "1.234"}, {"-123.456", "", "-123.456"}, {"1E+3", "", "1000.000"}, {"15e-1", "", "1.500"},
		{"1.234,56", ",", "1234.560"}, {"12.5", ",", "12.500"}, {"1e999999999", "", nil}, {"1,234", "", "reject"},
		{"1.234", ",", "1.234"},
	} {
		raw := Raw{Text: c.text, Found: true, JSON: true}
		if got := numberOutcome(t, Field{Decimal: c.decimal}, raw); got != c.want {
			t.Errorf("%s with decimal %q is %v, want %v", c.text, c.decimal, got, c.want)
		}
	}
}

// restish #397: ids of 64 bits lost their last digits on the way through a float.
func TestNoNumberGoesThroughAFloat(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       any
	}{
		{"int", "9007199254740993", int64(9007199254740993)},
		{"int", "9223372036854775807", int64(9223372036854775807)},
		{"int", "-9223372036854775808", int64(-9223372036854775808)},
		{"int", "9223372036854775808", nil},
		{"int", "12.0", int64(12)},
		{"int", "12.5", nil},
		{"int", "1.2e1", int64(12)},
		{"int", "-0", int64(0)},
		{"decimal(30,10)", "12345678901234567890.0123456789", "12345678901234567890.0123456789"},
		{"decimal(65,30)", "0.000000000000000000000000000001", "0.000000000000000000000000000001"},
		{"decimal(20,0)", "9007199254740993", "9007199254740993"},
		{"text", "9007199254740993", "9007199254740993"},
		{"json", "9007199254740993.10", "9007199254740993.10"},
	} {
		got := outcome(t, Field{Type: typed(t, c.kind)}, Raw{Text: c.text, Found: true, JSON: true})
		if got != c.want {
			t.Errorf("%s %s is %v, want %v", c.kind, c.text, got, c.want)
		}
	}
}

func TestDecimalsKeepToTheirPrecision(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       any
	}{
		{"decimal(4,2)", "99.99", "99.99"}, {"decimal(4,2)", "100", nil}, {"decimal(4,2)", "99.995", nil},
		{"decimal(4,2)", "-99.994", "-99.99"}, {"decimal(4,2)", "-100", nil}, {"decimal(2,2)", "0.5", "0.50"},
		{"decimal(2,2)", "1", nil}, {"decimal(2,2)", "0", "0.00"}, {"decimal(3,0)", "12.5", "13"}, {"decimal(3,0)", "-0.4", "0"},
		{"decimal(4,2)", "00012.5", "12.50"},
	} {
		if got := outcome(t, Field{Type: typed(t, c.kind)}, Raw{Text: c.text, Found: true, JSON: true}); got != c.want {
			t.Errorf("%s %q is %v, want %v", c.kind, c.text, got, c.want)
		}
	}
}

func TestDecimalsAreComparedAsNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"10.00", "9.99", 1}, {"-10.00", "9.99", -1}, {"-10.00", "-9.99", -1}, {"0.00", "0.00", 0}, {"2.00", "-3.00", 1},
	} {
		if got := compareDecimals(c.a, c.b); got != c.want {
			t.Errorf("%s against %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
