package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/schema"
	"dogear/state"
)

// openFixture reads a page from a file as the answer to a request for address; "" is the URL that stands beside the
// file.
func openFixture(path, address string, j *job.Job) (state.Task, *fetch.Page, error) {
	body, f, kept, err := readFixture(path, j.Limits.Body)
	if err != nil {
		return state.Task{}, nil, err
	}
	if address != "" {
		f.URL, f.FinalURL = address, ""
	}
	if f.URL == "" {
		return state.Task{}, nil, usagef("which URL did %s come from? --url URL", path)
	}
	if _, err := schema.Resolve("", f.URL); err != nil {
		return state.Task{}, nil, usagef("--url: %v", err)
	}
	task := state.Task{URL: f.URL, Method: f.Method, Body: f.Body}
	if j.HasKind(f.Page) {
		task.Page = f.Page
	}
	page := fetch.Stored(cmp.Or(f.FinalURL, f.URL), f.Status, f.ContentType, body, f.FetchedAt)
	if kept && utf8.Valid(body) && f.Charset != "" { // it is UTF-8 now, whatever it was when it came
		page.Body, page.Replaced = []byte(j.Fill(string(body))), 0
		page.Charset, page.CharsetFrom = f.Charset, f.CharsetFrom
	}
	return task, page, nil
}

// readFixture reads a page, of limit bytes at most, and what is known of it; kept says that `try --save` wrote it.
func readFixture(path string, limit int64) (body []byte, f fixture, kept bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = usagef("there is no file %s", path)
		}
		return nil, f, false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(file, limit+1))
	}
	if err != nil {
		return nil, f, false, fmt.Errorf("read the page: %w", err)
	}
	if int64(len(body)) > limit {
		return nil, f, false, fmt.Errorf("%s has more than the %s that limits.body allows", path, size(limit))
	}
	f = fixture{Status: 200, ContentType: typeOf(path), FetchedAt: info.ModTime()}
	text, err := os.ReadFile(path + sideExt)
	if errors.Is(err, fs.ErrNotExist) {
		return body, f, false, nil
	}
	if err == nil {
		f = fixture{}
		err = json.Unmarshal(text, &f)
	}
	if err == nil && (f.URL == "" || f.Status == 0) {
		err = errors.New("it is not what `try --save` writes")
	}
	if err != nil {
		return nil, f, false, fmt.Errorf("read what stands beside the page, %s: %w", path+sideExt, err)
	}
	return body, f, true, nil
}

// typeOf tells what a file holds by its name; "": its first bytes have to say.
func typeOf(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm", ".xhtml":
		return "text/html"
	case ".json":
		return "application/json"
	case ".xml":
		return "application/xml"
	}
	return ""
}
