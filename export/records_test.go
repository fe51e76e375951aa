package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/export"
	"dogear/schema"
	"dogear/state"
)

// kept makes a state file with these records of one table and opens it for reading.
func kept(t *testing.T, table *schema.Table, rows ...[]any) *state.Store {
	t.Helper()
	ctx, now := context.Background(), time.UnixMilli(1_796_000_000_000)
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "job.db")
	run, err := state.OpenRun(ctx, state.RunOptions{Path: path, Name: "job", Tables: []*schema.Table{table}, Version: "test",
		Starts: []state.Start{{Entry: "one", Total: 1, Request: func(int64) schema.Request { return schema.Request{URL: "http://127.0.0.1/", Page: "page"} }}}}, now)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := run.Commit(ctx, now, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := state.Outcome{Task: tasks[0], State: state.Done, Attempts: 1, Status: 200, At: now}
	for _, values := range rows {
		o.Rows = append(o.Rows, schema.Row{Table: table, Values: values})
	}
	if _, err := run.Commit(ctx, now, []state.Outcome{o}, 0); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(ctx, now, state.Finished); err != nil {
		t.Fatal(err)
	}
	s, err := state.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func allTypes() *schema.Table {
	return &schema.Table{Name: "things", Fields: []schema.Field{
		{Name: "id", Type: schema.Type{Kind: schema.Int}}, {Name: "name"},
		{Name: "price", Type: schema.Type{Kind: schema.Decimal, Precision: 30, Scale: 2}},
		{Name: "weight", Type: schema.Type{Kind: schema.Real}}, {Name: "new", Type: schema.Type{Kind: schema.Bool}},
		{Name: "day", Type: schema.Type{Kind: schema.Date}}, {Name: "at", Type: schema.Type{Kind: schema.Datetime}},
		{Name: "raw", Type: schema.Type{Kind: schema.JSON}},
	}}
}

var things = [][]any{
	{int64(9007199254740993), "云山 <b>\"Tea\"</b> 📖", "1234567890123456789012345678.90", 0.1, int64(1), "2026-02-04", int64(1_770_186_600_123), `{"n":1.50}`},
	{int64(-1), "two\nlines, and a comma", nil, nil, nil, nil, nil, nil},
}

func export1(t *testing.T, s *state.Store, table *schema.Table, f export.Format) string {
	t.Helper()
	var out bytes.Buffer
	n, err := export.Records(context.Background(), s, table, export.RecordsOptions{Format: f}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if want := (export.Written{Records: int64(len(things)), Last: int64(len(things))}); n != want {
		t.Errorf("%+v, want %+v", n, want)
	}
	return out.String()
}

// Every digit, every character (restish #397, scrapy #1963): compared as text.
func TestJSONLinesKeepEveryDigitAndCharacter(t *testing.T) {
	table := allTypes()
	got := export1(t, kept(t, table, things...), table, export.JSONL)
	want := `{"id":9007199254740993,"name":"云山 <b>\"Tea\"</b> 📖","price":1234567890123456789012345678.90,"weight":0.1,"new":true,` +
		`"day":"2026-02-04","at":"2026-02-04T06:30:00.123Z","raw":{"n":1.50}}` + "\n" +
		`{"id":-1,"name":"two\nlines, and a comma","price":null,"weight":null,"new":null,"day":null,"at":null,"raw":null}` + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for line := range strings.Lines(got) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
}

func TestCSVIsReadBackAsItWas(t *testing.T) {
	table := allTypes()
	got := export1(t, kept(t, table, things...), table, export.CSV)
	if n := strings.Count(got, "\r\n"); n != 3 {
		t.Errorf("%d lines end with CRLF, want the header and two records (RFC 4180)", n)
	}
	read, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"id", "name", "price", "weight", "new", "day", "at", "raw"},
		{"9007199254740993", "云山 <b>\"Tea\"</b> 📖", "1234567890123456789012345678.90", "0.1", "true", "2026-02-04", "2026-02-04T06:30:00.123Z", `{"n":1.50}`},
		{"-1", "two\nlines, and a comma", "", "", "", "", "", ""},
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// scrapy #1526, #3090: a broken or doubled output after a resume. The output is whole or it is not there.
func TestAFileIsReplacedWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out 导出.csv")
	write := func(text string, err error) error {
		return export.ToFile(path, func(w io.Writer) error {
			if _, e := io.WriteString(w, text); e != nil {
				return e
			}
			return err
		})
	}
	broken := errors.New("broken on purpose")
	if err := write("half", broken); !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a file is there: %v", err)
	}
	if err := write("whole", nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write("half again", broken); !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	if err := write("whole again", nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "whole again" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("its mode is not kept: %v, %v", info.Mode(), err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("files left beside it: %v, %v", left, err)
	}
}
