package export_test

import (
	"errors"
	"strings"
	"testing"

	"dogear/export"
	"dogear/internal/testenv"
	"dogear/schema"
)

func TestATableThatIsThereGetsTheColumnsThatAreMissing(t *testing.T) {
	table := &schema.Table{Name: "items", Key: []string{"id"}, Fields: []schema.Field{{Name: "id", Type: kind(schema.Int)},
		{Name: "price", Type: schema.Type{Kind: schema.Decimal, Precision: 10, Scale: 2}}, {Name: "at", Type: kind(schema.Datetime)}, {Name: "note"}}}
	b := newBook(t, table)
	b.create(`CREATE TABLE items (own INT AUTO_INCREMENT PRIMARY KEY, ID BIGINT UNSIGNED NOT NULL UNIQUE, price DECIMAL(20,4), extra TEXT) ENGINE=InnoDB`)
	b.page([]any{int64(5), "7.50", int64(1_770_186_600_123), "x"}, []any{int64(6), nil, nil, nil})
	if n, err := b.send(b.options()); n != 2 || err != nil {
		t.Fatalf("sent %d, %v", n, err)
	}
	if got := b.query1(`SELECT CONCAT_WS('|', own, price, at, note, _task, _fetched_at) FROM items WHERE id = 5`); got != "1|7.5000|2026-02-04 06:30:00.123|x|1|2026-11-30 00:53:20.124" {
		t.Errorf("the row is %s", got)
	}
}

// A key with text in it may be the unique key itself, if the server compares it as SQLite does.
func TestAKeyOfSomebodyElseIsTakenWhenItsTextIsToldApart(t *testing.T) {
	b := newBook(t, &schema.Table{Name: "items", Key: []string{"sku"}, Fields: []schema.Field{{Name: "sku"}}})
	b.create(`CREATE TABLE items (sku VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY) ENGINE=InnoDB`)
	b.page([]any{"a"}, []any{"A"}, []any{"a "})
	b.wantSent(3)
}

func TestATableThatDoesNotFitIsRefusedBeforeAnythingIsSent(t *testing.T) {
	fields := []schema.Field{{Name: "id", Type: kind(schema.Int)}, {Name: "note"}, {Name: "price", Type: schema.Type{Kind: schema.Decimal, Precision: 10, Scale: 2}},
		{Name: "x", Type: kind(schema.Real)}, {Name: "at", Type: kind(schema.Datetime)}}
	const id, rest = "id BIGINT PRIMARY KEY", ") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
	for name, c := range map[string]struct {
		ddl string
		key []string
		say []string
	}{
		"a text for a number":         {"CREATE TABLE items (id VARCHAR(20) PRIMARY KEY" + rest, nil, []string{"column id", "VARCHAR(20)", "BIGINT"}},
		"a float for a decimal":       {"CREATE TABLE items (" + id + ", price FLOAT" + rest, nil, []string{"column price", "FLOAT", "DECIMAL(10,2)"}},
		"fewer decimals":              {"CREATE TABLE items (" + id + ", price DECIMAL(10,1)" + rest, nil, []string{"DECIMAL(10,1)", "DECIMAL(10,2)"}},
		"a float for a real":          {"CREATE TABLE items (" + id + ", x FLOAT" + rest, nil, []string{"column x", "FLOAT", "DOUBLE"}},
		"whole seconds":               {"CREATE TABLE items (" + id + ", at DATETIME" + rest, nil, []string{"column at", "DATETIME", "DATETIME(3)"}},
		"three bytes for a character": {"CREATE TABLE items (" + id + ", note TEXT CHARACTER SET utf8mb3" + rest, nil, []string{"column note", "utf8mb3", "LONGTEXT"}},
		"no unique key":               {"CREATE TABLE items (id BIGINT, INDEX (id)" + rest, nil, []string{"unique key", "absent", "(id)"}},
		"another unique key":          {"CREATE TABLE items (" + id + ", note VARCHAR(20) UNIQUE" + rest, nil, []string{"unique key note", "(note)", "no second one"}},
		"a key that pads":             {"CREATE TABLE items (note VARCHAR(99) COLLATE utf8mb4_bin PRIMARY KEY" + rest, []string{"note"}, []string{"(note)", "utf8mb4_bin", "utf8mb4_nopad_bin"}},
		"the beginning of a key":      {"CREATE TABLE items (note VARCHAR(99) COLLATE utf8mb4_nopad_bin, UNIQUE (note(9))" + rest, []string{"note"}, []string{"(note(9))", "(_key)"}},
	} {
		t.Run(name, func(t *testing.T) {
			key := c.key
			if key == nil {
				key = []string{"id"}
			}
			b := newBook(t, &schema.Table{Name: "items", Key: key, Fields: fields})
			b.create(c.ddl)
			b.page([]any{int64(1), "x", "1.00", 1.0, int64(0)})
			n, err := b.send(b.options())
			if _, ok := errors.AsType[*schema.MySQLMisfit](err); !ok || n != 0 {
				t.Fatalf("sent %d, %v", n, err)
			}
			for _, word := range append(c.say, "items", "nothing was sent") {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q does not say %q", err, word)
				}
			}
			if got := b.query1(`SELECT COUNT(*) FROM items`) + b.query1(`SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()`); got != "01" {
				t.Errorf("%s rows and tables are there", got)
			}
		})
	}
}

// A narrower column is taken, and what it can't hold is an error that names the record; what came before it stays.
func TestAValueThatDoesNotFitANarrowerColumnIsAnError(t *testing.T) {
	for name, c := range map[string]struct{ id, note, bad string }{
		"an int":             {"SMALLINT", "TEXT", `(70000, 'x')`},
		"a negative int":     {"INT UNSIGNED", "TEXT", `(-1, 'x')`},
		"a long text":        {"BIGINT", "VARCHAR(5)", `(1, 'abcdef')`},
		"a space at the end": {"BIGINT", "VARCHAR(5)", `(1, 'abcde ')`},
		"a NULL":             {"BIGINT", "TEXT NOT NULL", `(1, NULL)`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBook(t, items())
			b.create("CREATE TABLE items (id " + c.id + " PRIMARY KEY, note " + c.note + ") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4")
			b.pages(3, func(task int64) [][]any { return [][]any{{100 + task, "good"}} })
			b.wantSent(3)
			var id int64
			var note any
			if err := b.db.QueryRow("SELECT * FROM (SELECT NULL AS a, NULL AS b WHERE FALSE UNION ALL SELECT "+strings.Trim(c.bad, "()")+") AS t").Scan(&id, &note); err != nil {
				t.Fatal(err)
			}
			if raw, ok := note.([]byte); ok {
				note = string(raw)
			}
			b.page([]any{int64(200), "good"}, []any{id, note}, []any{int64(201), "good"})
			n, err := b.send(b.options())
			if err == nil || n != 0 || !strings.Contains(err.Error(), "the record with id ") || export.MySQLAway(err) {
				t.Fatalf("sent %d, %v", n, err)
			}
			if !strings.Contains(err.Error(), strings.TrimLeft(strings.Split(c.bad, ",")[0], "(")) {
				t.Errorf("%q does not name the record %s", err, c.bad)
			}
			if got := b.query1(`SELECT COUNT(*) FROM items`); got != "3" {
				t.Errorf("%s rows are there, want the 3 of the export before", got)
			}
		})
	}
}

func TestStatementsFitIntoThePacketsOfTheServer(t *testing.T) {
	admin := testenv.MySQL(t).Open(t)
	defer admin.Close()
	if _, err := admin.Exec(`SET GLOBAL max_allowed_packet = 1048576`); err != nil {
		t.Fatal(err)
	}
	defer admin.Exec(`SET GLOBAL max_allowed_packet = DEFAULT`)
	b := newBook(t, items())
	quotes := func(n int) string { return strings.Repeat("'", n) } // each takes two bytes
	b.pages(100, item)
	b.page([]any{int64(1000), quotes(520_000)})
	b.pages(100, item)
	b.wantSent(201)
	b.page([]any{int64(2000), "before"})
	b.page([]any{int64(2001), quotes(530_000)})
	b.page([]any{int64(2002), "after"})
	n, err := b.send(b.options())
	if n != 1 || err == nil || !strings.Contains(err.Error(), "the record with id 2001 of table items") || !strings.Contains(err.Error(), "max_allowed_packet (1048576)") {
		t.Errorf("sent %d, %v", n, err)
	}
	if _, err := admin.Exec(`SET GLOBAL max_allowed_packet = DEFAULT`); err != nil {
		t.Fatal(err)
	}
	b.wantSent(2)
}

// More columns than an index, names that are words of SQL, and texts beyond what a row takes.
func TestAWideTableIsMade(t *testing.T) {
	table := &schema.Table{Name: "group", Key: []string{"a", "b"}, Fields: []schema.Field{{Name: "a"}, {Name: "b", Type: kind(schema.JSON)}}}
	row := []any{"k", "[]"}
	for _, max := range []string{"0", "1", "16000", "10", "16383", "16384", "70000", "5"} {
		table.Fields = append(table.Fields, schema.Field{Name: "c" + max, Max: &max})
		row = append(row, "")
	}
	b := newBook(t, table)
	b.page(row)
	b.wantSent(1)
	for column, want := range map[string]string{"c0": "varchar(0)", "c16000": "varchar(16000)", "c16383": "text", "c16384": "longtext", "c70000": "longtext", "c5": "varchar(5)"} {
		if got := b.query1(`SELECT column_type FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = ?`, column); got != want {
			t.Errorf("%s is %s, want %s", column, got, want)
		}
	}
}
