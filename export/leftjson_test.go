package export_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/export"
)

// left is what was found in a checkpoint, in words.
type left struct{ Finished, Failed, Page, Wrong []string }

// checkpoint is what OpenLeftJSON, OpenLeftRedis and OpenLeftMySQL return.
type checkpoint interface {
	Each(ctx context.Context, list export.List, entry func(export.Entry) error, damage func(export.Damage)) error
	Page() export.Page
	Damages() []export.Damage
	Close() error
}

func readLeft(t testing.TB, c checkpoint) left {
	t.Helper()
	var l left
	for _, d := range c.Damages() {
		l.Wrong = append(l.Wrong, d.String())
	}
	for i, into := range []*[]string{&l.Finished, &l.Failed} {
		err := c.Each(context.Background(), []export.List{export.FinishedList, export.FailedList}[i],
			func(e export.Entry) error {
				*into = append(*into, e.Text)
				return nil
			}, func(d export.Damage) { l.Wrong = append(l.Wrong, d.String()) })
		if err != nil {
			t.Fatal(err)
		}
	}
	if p := c.Page(); p.Given {
		l.Page = append(l.Page, fmt.Sprint(p.Number))
	}
	if p := c.Page(); p.Doubt != "" {
		l.Page = append(l.Page, "in doubt")
	}
	return l
}

func jsonFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "progress.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func openLeftJSON(t *testing.T, text string) left {
	t.Helper()
	path := jsonFile(t, text)
	c, err := export.OpenLeftJSON(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	l := readLeft(t, c)
	for i := range l.Wrong {
		l.Wrong[i] = strings.ReplaceAll(l.Wrong[i], path, "f")
	}
	return l
}

// what Python's json.dump writes, compact and with indent=2.
const (
	dumped = `{"current_page": 17, "finished_urls": ["https://a.example/1", "https://a.example/2?x=\u4e2d,3"], ` +
		`"fail_urls": ["https://a.example/3"], "update_time": "2024-05-01 12:00:00"}`
	indented = "{\n  \"current_page\": 17,\n  \"finished_urls\": [\n" +
		"    \"https://a.example/1\",\n    \"https://a.example/2?x=中,3\"\n  ],\n" +
		"  \"fail_urls\": [\n    \"https://a.example/3\"\n  ],\n  \"update_time\": null\n}\n"
)

var whole = left{Finished: []string{"https://a.example/1", "https://a.example/2?x=中,3"}, Failed: []string{
	"https://a.example/3"}, Page: []string{"17"}}

func TestWhatIsGoodInADamagedFileIsTakenAndTheRestIsToldByItsPlace(t *testing.T) {
	urls := []string{"https://a.example/1", "https://a.example/2"}
	for _, c := range []struct {
		name, text string
		want       left
	}{
		{"as json.dump leaves it", dumped, whole},
		{"with indent=2", indented, whole},
		{"with a byte order mark and CRLF", "\ufeff" + strings.ReplaceAll(indented, "\n", "\r\n"), whole},
		{"in UTF-16, as PowerShell writes it", utf16(dumped), whole},
		{"appended to, run after run", `{"current_page": 2, "finished_urls": ["https://a.example/1"]}` + "\n" +
			`{"current_page": 3, "finished_urls": ["https://a.example/2"]}`,
			left{Finished: urls, Page: []string{"3"}}},
		{"ids instead of URLs", `{"completed_ids": [1, 2.0, "3", "4.0", " 5 "], "failed_ids": [6]}`,
			left{Finished: []string{"1", "2", "3", "4", "5"}, Failed: []string{"6"}}},
		{"one text instead of a list",
			`{"finished_urls": "https://a.example/1,https://a.example/2", "fail_urls": "https://a.example/3"}`,
			left{Finished: urls, Failed: []string{"https://a.example/3"}}},
		{"a number instead of a list", `{"finished_urls": 7}`, left{Finished: []string{"7"}}},
		{"cut in an entry",
			`{"current_page": 5, "finished_urls": ["https://a.example/1", "https://a.example/2", "https://a.exa`,
			left{Finished: urls, Page: []string{"5", "in doubt"}, Wrong: []string{"f:1:85: the text is cut off here"}}},
		{"cut in a number", `{"finished_urls": [1, 2, 3`, left{Finished: []string{"1", "2"}, Page: []string{"in doubt"},
			Wrong: []string{"f:1:26: the text is cut off here"}}},
		{"cut after the failed ones", `{"fail_urls": [3], "current_page": 5, "finished_urls": [1,`,
			left{Finished: []string{"1"}, Failed: []string{"3"}, Page: []string{"5"}, Wrong: []string{
				"f:1:59: the text is cut off here"}}},
		{"cut by zeros, as after a power cut", "{\n\"finished_urls\": [1, 2,\x00\x00\x00\x00",
			left{Finished: []string{"1", "2"}, Page: []string{"in doubt"}, Wrong: []string{
				"f:2:24: no JSON from here on, nothing more was read"}}},
		{"overwritten by something shorter", `{"finished_urls": [1]}a.example/9"]}`,
			left{Finished: []string{"1"}, Page: []string{"in doubt"}, Wrong: []string{
				"f:1:23: no JSON from here on, nothing more was read"}}},
		{"null and other types",
			"{\"finished_urls\": [null, true, {\"u\": [1]}, 1.5, [2], 3],\n\"fail_urls\": null, \"current_page\": [1]}",
			left{Finished: []string{"3"}, Wrong: []string{"f:2:36: current_page: not a number: a list",
				"f:1:20: finished_urls[0]: neither text nor a number: null",
				"f:1:26: finished_urls[1]: neither text nor a number: true",
				"f:1:32: finished_urls[2]: neither text nor a number: an object",
				"f:1:44: finished_urls[3]: not a whole number: 1.5",
				"f:1:49: finished_urls[4]: neither text nor a number: a list",
				"f:2:14: fail_urls: not a list: null"}}},
		{"an object instead of a list", `{"finished_urls": {"a": [1]}, "current_page": 2}`, left{Page: []string{"2"},
			Wrong: []string{"f:1:19: finished_urls: not a list: an object"}}},
		{"empty and blank entries", `{"finished_urls": ["", "  ", "1\n", "a\u0007b"]}`, left{Finished: []string{"1"},
			Wrong: []string{
				"f:1:20: finished_urls[0]: empty", "f:1:24: finished_urls[1]: empty:   ",
				"f:1:37: finished_urls[3]: with control characters in it: a\ab"}}},
		{"not UTF-8", "{\"finished_urls\": [\"https://a.example/\xff\", \"https://a.example/1\"]}",
			left{Finished: urls[:1], Wrong: []string{"f:1:20: finished_urls[0]: not UTF-8: https://a.example/\ufffd"}}},
		{"a page as text", `{"current_page": "17"}`, left{Page: []string{"17"}}},
		{"a page as a float", `{"current_page": 17.0}`, left{Page: []string{"17"}}},
		{"a page and a half", `{"current_page": 17.5, "finished_urls": []}`, left{Wrong: []string{
			"f:1:18: current_page: not a whole number: 17.5"}}},
		{"a negative page", `{"current_page": -1, "finished_urls": []}`, left{Wrong: []string{
			"f:1:18: current_page: a negative number: -1"}}},
		{"a page too large", `{"current_page": 99999999999999999999}`, left{Wrong: []string{
			"f:1:18: current_page: too large a number: 99999999999999999999"}}},
		{"too many brackets", `{"finished_urls": [1, ` + strings.Repeat("[", 2000), left{Finished: []string{"1"},
			Page: []string{"in doubt"},
			Wrong: []string{"f:1:1021: more than 1000 brackets inside each other, nothing more was read",
				"f:1:23: finished_urls[1]: neither text nor a number: a list"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, openLeftJSON(t, c.text)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func utf16(text string) string {
	out := []byte{0xff, 0xfe}
	for _, r := range text {
		out = append(out, byte(r), byte(r>>8))
	}
	return string(out)
}

func TestAFileWithNothingOfACheckpointIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": " \n", "zeros": strings.Repeat("\x00", 100), "a list": `["https://a.example/1"]`,
		"another object": `{"a": 1}`,
		"no JSON":        "current_page=17", "cut before the first value": `{"current_page": 1`,
		"cut in the first entry": `{"finished_urls": ["htt`,
	} {
		t.Run(name, func(t *testing.T) {
			c, err := export.OpenLeftJSON(jsonFile(t, text))
			if !errors.Is(err, export.ErrNoCheckpoint) {
				t.Errorf("%v, %v", c, err)
			}
		})
	}
	if _, err := export.OpenLeftJSON(t.TempDir()); err == nil || errors.Is(err, export.ErrNoCheckpoint) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := export.OpenLeftJSON(filepath.Join(t.TempDir(), "x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
