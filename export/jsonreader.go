package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonReader reads a checkpoint in JSON as a stream, up to where it stops being JSON.
type jsonReader struct {
	dec   *json.Decoder
	tap   *tap
	inner *Place // of the list that the text is, when it is no file of its own
	name  string // of the file
	out   *sink

	at         Place // of the last token
	raw        []byte
	inside     int  // objects and arrays that are open
	cut        bool // it stopped before its end
	known      bool // a name of a checkpoint was in it
	failedEnds bool // a list of failed ones was read to its end
}

var (
	// errCut ends the reading of a text that goes on as something else than JSON. It was reported.
	errCut = errors.New("not JSON from here on")
	// errSource says that the text could not be read, which is no damage of it.
	errSource = errors.New("read the text")
)

// maxInside is deeper than any checkpoint is.
const maxInside = 1000

func newJSONReader(r io.Reader, name string, out *sink) *jsonReader {
	t := &tap{r: r, line: 1}
	j := &jsonReader{dec: json.NewDecoder(t), tap: t, name: name, out: out}
	j.dec.UseNumber()
	return j
}

// token returns the next token. io.EOF only between documents; errCut where the text stops being JSON.
func (j *jsonReader) token() (json.Token, error) {
	token, err := j.dec.Token()
	j.tap.skip(j.tap.spaces())
	if j.inner == nil {
		j.at = Place{Source: j.name, Line: j.tap.line, Col: j.tap.col + 1, Index: -1}
	}
	if err != nil {
		return nil, j.broken(err)
	}
	length := int(j.dec.InputOffset() - j.tap.base)
	j.raw = j.tap.buf[:length]
	if _, number := token.(json.Number); number && length == len(j.tap.buf) {
		return nil, j.broken(io.ErrUnexpectedEOF) // only a number can end with the text, and may have had more digits
	}
	j.tap.skip(length)
	switch token {
	case json.Delim('{'), json.Delim('['):
		if j.inside++; j.inside > maxInside {
			return nil, j.stop(fmt.Sprintf("more than %d brackets inside each other, nothing more was read", maxInside))
		}
	case json.Delim('}'), json.Delim(']'):
		j.inside--
	}
	return token, nil
}

// broken says why there is no token.
func (j *jsonReader) broken(err error) error {
	ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case j.tap.large:
		return j.stop(fmt.Sprintf("nothing ends within %d MiB, nothing more was read", maxToken>>20))
	case j.tap.err != nil:
		return fmt.Errorf("%w: %w", errSource, j.tap.err)
	case ended && j.inside == 0 && len(j.tap.buf) == 0:
		return io.EOF
	case ended:
		return j.stop("the text is cut off here")
	}
	return j.stop("no JSON from here on, nothing more was read")
}

func (j *jsonReader) stop(what string) error {
	j.cut = true
	d := Damage{Place: j.at, What: what}
	if j.inner != nil {
		j.out.damage(d)
	} else {
		j.out.other(d)
	}
	return errCut
}

// documents reads a file: one object, or several that a script appended. Damage is reported and no error.
func (j *jsonReader) documents() error {
	for n := 0; ; n++ {
		token, err := j.token()
		if errors.Is(err, io.EOF) || errors.Is(err, errCut) {
			return nil
		}
		if err == nil && token != json.Delim('{') {
			err = j.stop("no object, where {\"current_page\": …} is wanted; nothing more was read")
		}
		if err == nil {
			err = j.object()
		}
		if errors.Is(err, errCut) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// object reads the members of a checkpoint, after its {.
func (j *jsonReader) object() error {
	for {
		token, err := j.token()
		if err != nil || token == json.Delim('}') {
			return err
		}
		name, _ := token.(string)
		if list, ok := listOf(name); ok {
			j.known = true
			j.out.list = list
			if err = j.list(name); err == nil && list == FailedList {
				j.failedEnds = true
			}
		} else if name == pageName {
			j.known = true
			err = j.page()
		} else {
			err = j.pass(j.token())
		}
		if err != nil {
			return err
		}
	}
}

// pass reads on to the end of a value of which the first token was read.
func (j *jsonReader) pass(token json.Token, err error) error {
	if _, open := token.(json.Delim); err != nil || !open {
		return err
	}
	for outside := j.inside - 1; j.inside > outside; {
		if _, err := j.token(); err != nil {
			return err
		}
	}
	return nil
}

func (j *jsonReader) page() error {
	token, err := j.token()
	if err != nil {
		return err
	}
	at := j.at
	at.Key = pageName
	switch v := token.(type) {
	case json.Number:
		pageOf(at, v.String(), j.out)
	case string:
		pageOf(at, v, j.out)
	default:
		j.out.other(Damage{at, "not a number", kindOf(token)})
	}
	return j.pass(token, nil)
}

// list reads the value of one of the lists.
func (j *jsonReader) list(name string) error {
	token, err := j.token()
	if err != nil {
		return err
	}
	j.at.Key = name
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			return j.items(name)
		}
		j.out.damage(Damage{j.at, "not a list", kindOf(token)})
		return j.pass(token, nil)
	case json.Number:
		j.at.Index = 0
		return j.item(v)
	case string:
		if !isText(j.raw) {
			j.out.damage(Damage{j.at, "not UTF-8", ""})
			return nil
		}
		return joined(v, j.at, false, j.out)
	}
	j.out.damage(Damage{j.at, "not a list", kindOf(token)})
	return nil
}

// array reads a text that is a list by itself, in this place.
func (j *jsonReader) array(at Place) error {
	j.inner, j.at = &at, at
	_, err := j.token() // the caller has seen its [
	if err == nil {
		err = j.items(at.Key)
	}
	if errors.Is(err, errCut) {
		return nil
	}
	return err
}

// items reads the entries of a list, after its [.
func (j *jsonReader) items(name string) error {
	for i := 0; ; i++ {
		if j.inner != nil {
			j.at.Index = i
		}
		token, err := j.token()
		if err != nil || token == json.Delim(']') {
			return err
		}
		j.at.Key, j.at.Index = name, i
		if err := j.item(token); err != nil {
			return err
		}
	}
}

// item reads an entry of which the first token was read.
func (j *jsonReader) item(token json.Token) error {
	switch v := token.(type) {
	case string:
		if !isText(j.raw) {
			j.out.damage(Damage{j.at, "not UTF-8", v})
			return nil
		}
		return j.out.entryOrDamage(Entry{j.at, v})
	case json.Number:
		if m := whole.FindStringSubmatch(v.String()); m != nil {
			return j.out.entry(j.out.list, Entry{j.at, m[1]})
		}
		j.out.damage(Damage{j.at, "not a whole number", v.String()})
		return nil
	}
	j.out.damage(Damage{j.at, "neither text nor a number", kindOf(token)})
	return j.pass(token, nil)
}

// kindOf names what a JSON value is.
func kindOf(token json.Token) string {
	switch v := token.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case json.Delim:
		if v == '[' {
			return "a list"
		}
		return "an object"
	case json.Number:
		return v.String()
	}
	return "a text"
}
