package cli_test

import (
	"fmt"
	"strings"
	"testing"

	"dogear/internal/practice"
)

// Every charset, however it is declared, brings the same text into the records (colly #777, #421, webmagic #643).
func TestRecordsHoldTheSameTextWhateverTheCharset(t *testing.T) {
	p := site(t, practice.Options{})
	names := practice.Charsets()
	text := fmt.Sprintf("name: charsets\nstart: %s/charset/{%s}/{meta,header,both}\nrate: none\n"+
		"records: {key: url, fields: {url: {meta: url}, title: h1, common: h2, text: p.text}}\n", p.URL, strings.Join(names, ","))
	path := writeJob(t, "charsets.yaml", text)
	dogearRun(t, 0, "run", path)
	if got := rows(t, stateOf(path), `SELECT count(*) FROM charsets`); got[0] != fmt.Sprint(3*len(names)) {
		t.Fatalf("%s records, want 3 for each of %v", got[0], names)
	}
	for _, name := range names {
		said, ok := practice.TextOf(name)
		if !ok {
			t.Fatalf("no page in %s", name)
		}
		want := fmt.Sprint(said.Title, " ", said.Common, " ", said.Body)
		got := rows(t, stateOf(path), `SELECT DISTINCT title, coalesce(common, ''), text FROM charsets WHERE url LIKE '%/charset/'||?||'/%'`, name)
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
