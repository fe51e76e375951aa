package export_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/export"
	"dogear/schema"
)

var updateRecords = flag.Bool("records.update", false, "write the golden files of records anew")

// what pages say that would run in a spreadsheet, and what only looks like it.
var shopThings = [][]any{
	{int64(-5), "云山 & 茶 <b>\"好\"</b>", "https://a.example/?a=1&b=2", "-1.50", `{"名":"茶 & <b>"}`},
	{int64(1), `=HYPERLINK("http://evil.example","click")`, nil, nil, `-1`},
	{int64(2), "+1", nil, nil, nil},
	{int64(3), "-2+3+cmd|' /C calc'!A0", nil, nil, nil},
	{int64(4), "@SUM(1)", nil, nil, nil},
	{int64(5), "\t=1", nil, nil, nil},
	{int64(6), "\r=1", nil, nil, nil},
	{int64(7), "\n=1", nil, nil, nil},
	{int64(8), "＝1", nil, nil, nil},
	{int64(9), "a=1", nil, nil, nil},
	{int64(10), "", nil, nil, nil},
	{int64(11), "'=1", nil, nil, nil},
}

func shopTable() *schema.Table {
	return &schema.Table{Name: "things", Fields: []schema.Field{
		{Name: "id", Type: schema.Type{Kind: schema.Int}}, {Name: "name"}, {Name: "url",
			Type: schema.Type{Kind: schema.URL}},
		{Name: "price", Type: schema.Type{Kind: schema.Decimal, Precision: 10, Scale: 2}}, {Name: "raw",
			Type: schema.Type{Kind: schema.JSON}},
	}}
}

// django-import-export #1515, scrapy #1963: Chinese was escaped, Excel showed mojibake.
func TestRecordsAreWrittenAsTheGoldenFilesHaveThem(t *testing.T) {
	table := shopTable()
	s := kept(t, table, shopThings...)
	for name, o := range map[string]export.RecordsOptions{
		"records.csv": {Format: export.CSV}, "records.jsonl": {Format: export.JSONL},
		"records.safe.csv":    {Format: export.CSV, Safe: true, BOM: true},
		"records.since.csv":   {Format: export.CSV, Since: 9},
		"records.since.jsonl": {Format: export.JSONL, Since: 9},
		"records.none.csv":    {Format: export.CSV, Since: int64(len(shopThings)), BOM: true},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			n, err := export.Records(context.Background(), s, table, o, &out)
			if want := (export.Written{Records: int64(len(shopThings)) - o.Since,
				Last: int64(len(shopThings))}); err != nil || n != want {
				t.Errorf("%+v, %v, want %+v", n, err, want)
			}
			path := filepath.Join("testdata", name)
			if *updateRecords {
				if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out.String()); diff != "" {
				t.Errorf("%s (-want +got)\n%s", path, diff)
			}
		})
	}
	if _, err := export.Records(context.Background(), s, table, export.RecordsOptions{Format: export.CSV, Since: 13},
		&bytes.Buffer{}); !errors.Is(err, export.ErrStartedOver) {
		t.Errorf("since a change that is not there yet: %v", err)
	}
}
