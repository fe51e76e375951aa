package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dogear/crawl"
	"dogear/crawl/job"
)

// A fixture is a page that `try --save` keeps: the body as the rules see it, in UTF-8, and beside it a file of the same
// name with .json after it that says what else the rules go by. The job's secrets are in neither: they stand as
// ${NAME}.
type fixture struct {
	URL         string    `json:"url"`
	FinalURL    string    `json:"final_url,omitempty"` // where redirects led
	Method      string    `json:"method,omitempty"`    // when it is not GET
	Body        string    `json:"body,omitempty"`      // of the request
	Page        string    `json:"page,omitempty"`      // the kind of page
	Status      int       `json:"status"`
	ContentType string    `json:"content_type,omitempty"` // as the server sent it
	Charset     string    `json:"charset,omitempty"`      // what the text was decoded from; "": it is not text
	CharsetFrom string    `json:"charset_from,omitempty"` // and why, as package fetch names it
	FetchedAt   time.Time `json:"fetched_at"`
}

const sideExt = ".json"

// maxNumbered is how many fixtures of one URL there may be in a folder.
const maxNumbered = 10_000

// saveFixture keeps the page in a folder and returns the file's path. It never overwrites.
func saveFixture(dir string, j *job.Job, t *crawl.Tried) (string, error) {
	o, page := &t.Outcome, t.Page
	f := fixture{
		URL: o.Task.URL, FinalURL: o.FinalURL, Body: o.Task.Body, Page: o.Task.Page, Status: page.Status,
		ContentType: page.ContentType, Charset: page.Charset, CharsetFrom: page.CharsetFrom, FetchedAt: page.At.UTC(),
	}
	if o.Task.Method != "GET" {
		f.Method = o.Task.Method
	}
	var side bytes.Buffer
	e := json.NewEncoder(&side)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		return "", err
	}
	body := page.Body
	if page.Charset != "" {
		body = []byte(j.Hide(string(body)))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("save the page: %w", err)
	}
	ext := fixtureExt(page.ContentType, page.Charset)
	stem := filepath.Join(dir, strings.TrimSuffix(fixtureName(f.URL), ext))
	for n := 1; n <= maxNumbered; n++ {
		path := stem + ext
		if n > 1 {
			path = fmt.Sprintf("%s-%d%s", stem, n, ext)
		}
		err := writeFixture(path, body, side.Bytes())
		if !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return "", fmt.Errorf("save the page: %s has %d of it already", dir, maxNumbered)
}

// writeFixture writes both files, or neither.
func writeFixture(path string, body, side []byte) error {
	if err := writeNew(path, body); err != nil {
		return err
	}
	err := writeNew(path+sideExt, side)
	if err != nil {
		_ = os.Remove(path) // this call has made it
	}
	return err
}

// writeNew makes a file that was not there before: fs.ErrExist when it was.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("save the page: %w", err)
	}
	_, err = f.Write(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path)
		return fmt.Errorf("save the page: %w", err)
	}
	return nil
}

// maxName is how many bytes of a file's name come from the URL: file systems end at 255.
const maxName = 120

// fixtureName makes a file's name of a URL: host_path_query, letters and digits of any script, and . - _.
func fixtureName(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "#")
	if authority, path, ok := strings.Cut(rest, "/"); ok {
		rest = authority[strings.LastIndexByte(authority, '@')+1:] + "/" + path
	}
	if plain, err := url.PathUnescape(rest); err == nil && utf8.ValidString(plain) {
		rest = plain
	}
	var name strings.Builder
	gap := false
	for _, r := range rest {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '-' {
			gap = true
			continue
		}
		if gap && name.Len() > 0 {
			name.WriteByte('_')
		}
		gap = false
		if name.Len()+utf8.RuneLen(r) > maxName {
			break
		}
		name.WriteRune(r)
	}
	if text := strings.Trim(name.String(), "._"); text != "" {
		return text
	}
	return "page"
}

// fixtureExt is how the file's name ends: programs that open it go by that.
func fixtureExt(contentType, charset string) string {
	media, _, _ := mime.ParseMediaType(contentType)
	switch {
	case charset == "":
		return ".bin"
	case strings.Contains(media, "json"):
		return ".json"
	case strings.Contains(media, "html"):
		return ".html"
	case strings.Contains(media, "xml"):
		return ".xml"
	case media == "text/plain":
		return ".txt"
	}
	return ".html"
}
