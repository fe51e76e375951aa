package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// ErrNoCheckpoint is in the error for something in which there is nothing of a checkpoint.
var ErrNoCheckpoint = errors.New("there is nothing of a checkpoint in it")

// LeftJSON is a checkpoint that a script left as a JSON file: {"current_page": 17, "finished_urls": […], "fail_urls":
// […]}. It is read as a stream, once for each question.
type LeftJSON struct {
	path string
	file *os.File
	page Page

	damages []Damage
}

// OpenLeftJSON opens the file at path and looks it through. ErrNoCheckpoint when no whole value of a checkpoint is in
// it.
func OpenLeftJSON(path string) (*LeftJSON, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the checkpoint: %w", err)
	}
	l := &LeftJSON{path: path, file: file}
	if err := l.survey(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// survey reads the file for everything but entries.
func (l *LeftJSON) survey() error {
	if info, err := l.file.Stat(); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("read %s: it is no file but a folder, a pipe or a device, and can't be read twice", l.path)
	}
	entries := 0
	out := &sink{other: func(d Damage) { l.damages = append(l.damages, d) }, page: func(p Page) { l.page = p },
		entry: func(List, Entry) error { entries++; return nil }, wrong: func(List, Damage) {}}
	reader, err := l.read(out)
	if err != nil {
		return err
	}
	if reader.cut && !reader.failedEnds {
		l.page.Doubt = "the list of failed ones is not whole"
	}
	if reader.cut && entries == 0 && !l.page.Given || !reader.known {
		text := ""
		if len(l.damages) > 0 {
			text = ": " + l.damages[0].String()
		}
		return fmt.Errorf("read %s: %w%s", l.path, ErrNoCheckpoint, text)
	}
	return nil
}

// Each calls entry for each entry of a list, and damage for what stands there and is none.
func (l *LeftJSON) Each(_ context.Context, list List, entry func(Entry) error, damage func(Damage)) error {
	_, err := l.read(only(list, entry, damage))
	return err
}

// Damages are what ends the reading, and what is wrong with anything but the entries of the lists.
func (l *LeftJSON) Damages() []Damage { return l.damages }

// Page is how far the script came.
func (l *LeftJSON) Page() Page { return l.page }

// Close closes the file.
func (l *LeftJSON) Close() error { return l.file.Close() }

func (l *LeftJSON) read(out *sink) (*jsonReader, error) {
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read %s: %w", l.path, err)
	}
	r := newJSONReader(transform.NewReader(l.file, unicode.BOMOverride(transform.Nop)), l.path, out)
	err := r.documents()
	if err != nil {
		return r, fmt.Errorf("read %s: %w", l.path, err)
	}
	return r, nil
}

// pageOf reads current_page, however a script wrote it.
func pageOf(at Place, text string, out *sink) {
	m := whole.FindStringSubmatch(text)
	if m == nil {
		out.other(Damage{at, "not a whole number", text})
		return
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	switch {
	case err != nil:
		out.other(Damage{at, "too large a number", text})
	case n < 0:
		out.other(Damage{at, "a negative number", text})
	default:
		out.page(Page{Place: at, Number: n, Given: true})
	}
}

// isText reports whether the bytes of a JSON string are UTF-8: encoding/json puts U+FFFD in the place of what is not.
func isText(raw []byte) bool { return utf8.Valid(raw) && !bytes.ContainsRune(raw, utf8.RuneError) }

// String is the damage in a line.
func (d Damage) String() string {
	text := d.Place.String() + ": " + d.What
	if d.Text != "" {
		text += ": " + d.Text
	}
	return text
}
