package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// digitsPage has numbers that are others once they have been a float (restish #397), as numbers and as texts, and texts
// as shops write them. The last item is one that nobody can read for sure.
const digitsPage = `{"items": [
{"id": 9223372036854775807, "twin": "9223372036854775807",
  "price": 12345678901234567.89, "text": "¥7,999.00", "seen": "04/02/2026 14:30"},
{"id": 9007199254740993, "twin": "9007199254740993",
  "price": 0.10, "text": "−1 234,50 €", "seen": "31/12/2026 00:00"},
{"id": -9223372036854775808, "twin": "-9007199254740993",
  "price": 0.1e1, "text": "１２３．５", "seen": "2026-02-04"},
{"id": 8, "twin": "8",
  "price": 8, "text": "1,234", "seen": "04/02/2026 14:30"}
]}`

const digitsFields = `
rate: none
records:
  table: digits
  each: $.items[*]
  key: id
  fields:
    id: {json: $.id, type: int}
    twin: {json: $.twin, type: int}
    price: {json: $.price, type: "decimal(20,2)"}
    text: {json: $.text, type: "decimal(30,2)"}
    seen: {json: $.seen, type: datetime, layout: "%d/%m/%Y %H:%M"}
    raw: {json: $, type: json}
`

// digitsJob serves the page and runs a job on it with the real program.
func digitsJob(t *testing.T) (path string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/items" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, digitsPage)
	}))
	t.Cleanup(server.Close)
	path = writeJob(t, "digits.yaml", "start: "+server.URL+"/items"+digitsFields)
	dogearRun(t, 0, "run", path, "--quiet")
	return path
}

// exportFile runs an export into a file and returns its lines.
func exportFile(t *testing.T, path, kind string) []string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	dogearRun(t, 0, "export", kind, path, "--out", out)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func TestEveryDigitOfAJSONPageComesOutAgain(t *testing.T) {
	path := digitsJob(t)
	want := []string{
		"9223372036854775807 9223372036854775807 12345678901234567.89 7999.00 1770215400000 integer text",
		"9007199254740993 9007199254740993 0.10 -1234.50 1798675200000 integer text",
		"-9223372036854775808 -9007199254740993 1.00 123.50 - integer text",
	}
	got := rows(t, stateOf(path), `SELECT id, twin, price, text, coalesce(seen, '-'), typeof(id), typeof(price)
		FROM digits ORDER BY _seq`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in SQLite (-want +got)\n%s", diff)
	}
	raw := rows(t, stateOf(path), `SELECT raw FROM digits ORDER BY _seq LIMIT 1`)[0]
	if !strings.Contains(raw, `"id":9223372036854775807,`) || !strings.Contains(raw, `"price":12345678901234567.89,`) {
		t.Errorf("as JSON: %s", raw)
	}
	for i, line := range exportFile(t, path, "jsonl") {
		if start := []string{
			`{"id":9223372036854775807,"twin":9223372036854775807,"price":12345678901234567.89,"text":7999.00,` +
				`"seen":"2026-02-04T14:30:00.000Z",`,
			`{"id":9007199254740993,"twin":9007199254740993,"price":0.10,"text":-1234.50,` +
				`"seen":"2026-12-31T00:00:00.000Z",`,
			`{"id":-9223372036854775808,"twin":-9007199254740993,"price":1.00,"text":123.50,"seen":null,`,
		}[i]; !strings.HasPrefix(line, start) {
			t.Errorf("JSON line %d is %s", i, line)
		}
	}
	for i, line := range exportFile(t, path, "csv") {
		if start := []string{
			"id,twin,price,text,seen,raw",
			"9223372036854775807,9223372036854775807,12345678901234567.89,7999.00,2026-02-04T14:30:00.000Z,",
			"9007199254740993,9007199254740993,0.10,-1234.50,2026-12-31T00:00:00.000Z,",
			"-9223372036854775808,-9007199254740993,1.00,123.50,,",
		}[i]; !strings.HasPrefix(line, start) {
			t.Errorf("CSV line %d is %s", i, line)
		}
	}
}

func TestAnAmbiguousNumberOfAPageIsARejectWithItsText(t *testing.T) {
	path := digitsJob(t)
	got := rows(t, stateOf(path), `SELECT reason || ' in ' || raw FROM rejects`)
	if len(got) != 1 || !strings.Contains(got[0], `"1,234" can be read as more than one number; say decimal: `) ||
		!strings.Contains(got[0], `"text":"1,234"`) {
		t.Errorf("rejects: %q", got)
	}
}

func TestEveryDigitOfAJSONPageReachesMySQL(t *testing.T) {
	dsn, db := onServer(t)
	dogearRun(t, 0, "export", "mysql", digitsJob(t), "--dsn", dsn)
	want := []string{
		"-9223372036854775808 -9007199254740993 1.00 123.50 -",
		"9007199254740993 9007199254740993 0.10 -1234.50 2026-12-31 00:00:00.000",
		"9223372036854775807 9223372036854775807 12345678901234567.89 7999.00 2026-02-04 14:30:00.000",
	}
	got := there(t, db, `SELECT id, twin, price, text, coalesce(seen, '-') FROM digits ORDER BY id`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
