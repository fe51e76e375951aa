package job

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dogear/schema"
)

// listJob is a job with one start, and files beside it.
func listJob(t *testing.T, start, rules string, files map[string]string) *Job {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if rules == "" {
		rules = "records: {fields: {title: h1}}"
	}
	j, err := Parse(filepath.Join(dir, "test.yaml"), []byte("start: "+start+"\n"+rules+"\n"), secretEnv)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// shown is a request on a line.
func shown(q schema.Request) string {
	parts := []string{strings.TrimPrefix(q.URL, "https://a.example/")}
	for _, part := range []string{q.Method, q.Body, q.Carry} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

// readAll is what a list gives, and its bad lines.
func readAll(r *ListReader) string {
	var all []string
	for {
		q, err := r.Next()
		var bad *LineError
		switch {
		case err == io.EOF:
			return strings.Join(all, "|")
		case errors.As(err, &bad):
			all = append(all, fmt.Sprintf("!%d %s", bad.Line, bad.Why))
		case err != nil:
			return strings.Join(append(all, err.Error()), "|")
		default:
			all = append(all, shown(q))
		}
	}
}

const (
	noURL   = "not a whole URL with http:// or https:// in front"
	noQuote = `a quote where none can be: write "…""…" for a value with quotes in it`
)

func TestAListHasAURLInEachLine(t *testing.T) {
	long := "https://a.example/" + strings.Repeat("x", maxLine)
	for _, c := range []struct{ name, text, want string }{
		{"one a line", "https://a.example/1\nhttps://a.example/2\n", "1|2"},
		{"the last without its end", "https://a.example/1\nhttps://a.example/2", "1|2"},
		{"nothing", "", ""},
		{"blank lines, comments and the space around", "\n# x\n  https://a.example/1 \t\n   \n #https://a.example/no\n", "1"},
		{"of Windows", bom + "https://a.example/1\r\n\r\nhttps://a.example/2\r\n", "1|2"},
		{"a mark alone", bom, ""},
		{"the URL as it is given", "HTTPS://A.example/%c3%a9?q=a b#c\n", "HTTPS://A.example/%c3%a9?q=a b#c"},
		{"bad ones", "a.example/1\nftp://a.example/\nhttps://\nhttps://a.example/4\nhttp:///x y\n",
			"!1 " + noURL + "|!2 " + noURL + "|!3 " + noURL + "|4|!5 " + noURL},
		{"not UTF-8", "https://a.example/\xff\nhttps://a.example/2\n", "!1 not UTF-8|2"},
		{"too long", long + "\nhttps://a.example/2\n" + long, "!1 longer than 64 KB|2|!3 longer than 64 KB"},
		{"as long as can be", "#" + long[:maxLine-1] + "\nhttps://a.example/2\n", "2"},
		{"references of other jobs do not reach ours", "https://a.example/${SECRET}\n", "$%7BSECRET}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := listJob(t, "{from: urls.txt}", "", map[string]string{"urls.txt": c.text})
			f, err := j.Starts[0].List().Open(0, "")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got := readAll(f.ListReader); got != c.want {
				t.Errorf("got  %.200s\nwant %.200s", got, c.want)
			}
			if got := f.Place(); got != int64(len(c.text)) {
				t.Errorf("read up to %d of %d", got, len(c.text))
			}
		})
	}
}

func TestLinesAndColumnsGoIntoAURLAndABody(t *testing.T) {
	for _, c := range []struct{ name, start, text, want string }{
		{"each line", `{from: ids.txt, url: "https://a.example/{id}"}`, "7\n# 8\n 9 \n", "7|9"},
		{"a line in the body", `{from: ids.txt, url: "https://a.example/", request: {json: {id: "{id}", n: 1}}}`, "7\na\"b\n",
			` POST {"id":"7","n":1}| POST {"id":"a\"b","n":1}`},
		{"a line in both", `{from: ids.txt, url: "https://a.example/{id}", request: {form: {q: "<{id}>"}}}`, "a b\n",
			"a%20b POST q=%3Ca+b%3E"},
		{"columns", `{from: x.csv, url: "https://a.example/{kind}/{id}"}`, "id,name,kind\n1,x,a\n2,y,b\n", "a/1|b/2"},
		{"columns, by their number", `{from: x.txt, url: "https://a.example/{kind}/{id}"}`, "id,kind\n1,a\n", "a/1"},
		{"one column of a CSV", `{from: x.CSV, url: "https://a.example/{id}"}`, "id,name\r\n1,x\r\n", "1"},
		{"a mark, spaces in the header", `{from: x.csv, url: "https://a.example/{id}"}`, bom + " id , name\n1,x\n", "1"},
		{"quotes, and a record of three lines", `{from: x.csv, url: "https://a.example/?q={q}&l={l}"}`,
			"q,l\n\"a \"\"b\"\"\n\nc, d\",de\nx,en\n", "?q=a%20\"b\"%0A%0Ac,%20d&l=de|?q=x&l=en"},
		{"a semicolon", `{from: x.csv, url: "https://a.example/{id}"}`, "id;price\n1;1,5\n", "1"},
		{"a tab", `{from: x.tsv, url: "https://a.example/{id}"}`, "name,x\tid\na,b\t1\n", "1"},
		{"whole URLs in a column", `{from: x.csv, url: "{url}"}`, "id,url\n1,https://a.example/?a=b&c=d%20e\n2,no\n", "?a=b&c=d%20e|!3 " + noURL},
		{"a value in a query is one value", `{from: x.csv, url: "https://a.example/{p}?q={q}&r={q}#{q}"}`, "p,q\na/b?c#d%e%2F,C++ & #1 50% %41\n",
			"a/b%3Fc%23d%25e%2F?q=C%2B%2B%20%26%20%231%2050%25%20%41&r=C%2B%2B%20%26%20%231%2050%25%20%41#C++ & #1 50% %41"},
		{"text stays text in JSON", `{from: x.csv, url: "https://a.example/", request: {json: {id: "{id}", q: "query {n} {no}"}}}`, "id,n\n7,8\n",
			` POST {"id":"7","q":"query 8 {no}"}`},
		{"too few, too many, no end of a quote", `{from: x.csv, url: "https://a.example/{id}"}`, "id,n\n1\n\n2,b,c\n\"3,b\n4,\"b\"c\n5\"x,y\n6,b\n",
			"!2 1 fields, and the header has 2|!4 3 fields, and the header has 2|!5 " + noQuote + "|!6 " + noQuote + "|!7 " + noQuote + "|6"},
		{"a quote that closes nowhere near", `{from: x.csv, url: "https://a.example/{id}"}`,
			"id,n\n\"1,b\n2,b\n" + strings.Repeat("#\n", maxLine/2) + "3,b\n", ""},
		{"nothing where something must be", `{from: x.csv, url: "https://a.example/{id}?q={q}"}`, "id,q\n,a\n2,\n", "!2 nothing in the column id|2?q="},
		{"references do not reach ours", `{from: x.csv, url: "https://a.example/{p}?q={p}&r=${SECRET}", request: {json: {a: "{p}"}}}`, "p\n${SECRET}\n",
			`$%7BSECRET%7D?q=$%7BSECRET%7D&r=${SECRET} POST {"a":"$\u007bSECRET}"}`},
		{"not UTF-8", `{from: x.csv, url: "https://a.example/{id}"}`, "id,n\n1,\xe9\n2,b\n", "!2 not UTF-8|2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name, _, _ := strings.Cut(strings.TrimPrefix(c.start, "{from: "), ",")
			j := listJob(t, c.start, "", map[string]string{name: c.text})
			f, err := j.Starts[0].List().Open(0, "")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got := readAll(f.ListReader)
			if c.want == "" { // too much to write down: the first line is bad, and the second good
				got, c.want = got[:strings.Index(got, "|!4 ")], "!2 a quote that is not closed within 64 KB|2"
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := f.Place(); got != int64(len(c.text)) {
				t.Errorf("read up to %d of %d", got, len(c.text))
			}
		})
	}
}

func TestOnlyColumnsThatARuleAsksForGoWithTheRequest(t *testing.T) {
	const rules = "pages: {a: {records: {fields: {c: {meta: param.category}, i: {meta: param.id}}}}, b: {records: {table: b, fields: {n: {meta: param.note}}}}}"
	files := map[string]string{"x.csv": "id,category,note\n1,\"a \"\"b\"\"\",x\n2,,y\n", "x.txt": "7\n"}
	for _, c := range []struct{ start, want string }{
		{`{from: x.csv, url: "https://a.example/{id}", as: a}`, `1 {"param.category":"a \"b\"","param.id":"1"}|2 {"param.category":"","param.id":"2"}`},
		{`[{from: x.txt, url: "https://a.example/{id}", as: a}, {from: x.csv, url: "{id}", as: b}]`, `7 {"param.id":"7"}`},
	} {
		j := listJob(t, c.start, rules, files)
		if err := j.CheckLists(true); err != nil {
			t.Error(err)
		}
		f, err := j.Starts[0].List().Open(0, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(f.ListReader); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		f.Close()
	}
}

func TestWhatAFileLacksIsAProblemOfTheJobFile(t *testing.T) {
	for _, c := range []struct{ name, start, rules, text, want string }{
		{"no file", "{from: other.csv, url: 'https://a.example/{id}'}", "", "", "1:15: there is no file other.csv (looked for beside the job file)"},
		{"a folder", "{from: ., url: 'https://a.example/{id}'}", "", "", "1:15: . is no file that can be read twice; what comes from a pipe is read with from: -"},
		{"a column", "{from: x.csv, url: 'https://a.example/{idd}'}", "", "id,name\n", "1:27: {idd} is no column of x.csv (its header: id, name), did you mean {id}?"},
		{"a column of the body", "{from: x.csv, url: 'https://a.example/{id}', request: {json: {q: '{other}'}}}", "", "id,name\n",
			"1:27: {other} is no column of x.csv (its header: id, name)"},
		{"a column that is there twice", "{from: x.csv, url: 'https://a.example/{id}'}", "", "id,id\n", "1:27: {id} is no column of x.csv (its header: id, id), which has it twice"},
		{"no header", "{from: x.csv, url: 'https://a.example/{id}'}", "", "\n", "1:27: {id} is no column of x.csv (its header: nothing)"},
		{"a header that is none", "{from: x.csv, url: 'https://a.example/{id}'}", "", "id,a\"b\n", "1:15: the header of x.csv can't be read: line 1: " + noQuote},
		{"UTF-16", "{from: x.csv, url: 'https://a.example/{id}'}", "", "\xff\xfei\x00", "1:15: x.csv is saved as UTF-16; save it as UTF-8"},
		{"a column that a rule asks for", "{from: x.csv, url: 'https://a.example/{id}'}", "records: {fields: {a: {meta: param.nam}}}", "id,name\n",
			"2:30: param.nam is neither a {NAME} of a start nor a column of its file (header: id, name)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := listJob(t, c.start, c.rules, map[string]string{"x.csv": c.text})
			err := j.CheckLists(true)
			var bad *Error
			if !errors.As(err, &bad) || err.Error() != j.Path+":"+c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
