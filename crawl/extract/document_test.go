package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

func TestWhatIsNoJSONIsRefusedWhereItEndsBeingOne(t *testing.T) {
	deep := strings.Repeat("[", maxNesting+1)
	many := `{"n0":0`
	for i := 1; i <= fewNames; i++ {
		many += fmt.Sprintf(`,"n%d":0`, i)
	}
	for _, c := range []struct {
		name, text string
		offset     int
		says       string
	}{
		{"nothing", "", 0, "end of the text"},
		{"only white space", " \n", 2, "end of the text"},
		{"truncated in an object", `{"id":1`, 7, "end of the text"},
		{"truncated in a string", `{"id":"ab`, 9, "end of the text in a string"},
		{"truncated in a name", `{"i`, 3, "end of the text in a string"},
		{"truncated in a word", `[tru`, 4, "in the word true"},
		{"truncated after a minus", `-`, 1, "want a value"},
		{"truncated after a point", `[1.`, 3, "want a digit"},
		{"truncated in an escape", `["\u12`, 2, "escape"},
		{"garbage after the document", `{"id":1} x`, 9, "after the end"},
		{"a second document", `{}{}`, 2, "after the end"},
		{"NaN", `{"id":NaN}`, 6, `'N'`},
		{"Infinity", `[-Infinity]`, 2, `'I'`},
		{"a byte order mark", "\uFEFF{}", 0, "byte order mark"},
		{"a byte that is no UTF-8", "[\xff]", 1, "byte 0xff"},
		{"a leading zero", `[01]`, 2, "want ','"},
		{"a plus sign", `[+1]`, 1, "want a value"},
		{"a comma too many in an array", `[1,]`, 3, "want ','"},
		{"a comma too many in an object", `{"a":1,}`, 7, "want ','"},
		{"single quotes", `{'a':1}`, 1, "member name"},
		{"a comment", `{} // done`, 3, "after the end"},
		{"a line break in a string", "[\"a\nb\"]", 3, "control character 0x0a"},
		{"an unknown escape", `["a\x"]`, 3, "escape"},
		{"too deep", deep, maxNesting, "nested deeper"},
		{"a member twice", `{"id":1,"id":2}`, 8, `"id" occurs twice`},
		{"a member twice, one escaped", `{"id":1,"\u0069d":2}`, 8, `"id" occurs twice`},
		{"a member twice in a large object", many + `,"n3":1}`, len(many) + 1, `"n3" occurs twice`},
	} {
		var d document
		err := d.read([]byte(c.text))
		var se *syntaxError
		if !errors.As(err, &se) {
			t.Errorf("%s: got %v, want a syntax error", c.name, err)
			continue
		}
		if se.offset != c.offset || !strings.Contains(se.what, c.says) {
			t.Errorf("%s: got byte %d: %s, want byte %d: …%s…", c.name, se.offset, se.what, c.offset, c.says)
		}
	}
}

func TestTheSameNameInDifferentObjectsIsNoDuplicate(t *testing.T) {
	var d document
	if err := d.read([]byte(`{"id":1,"of":{"id":2,"of":[{"id":3},{"id":4}]}}`)); err != nil {
		t.Fatal(err)
	}
}

// TestDigitsAreKept: restish #397, 64-bit ids went through a float.
func TestDigitsAreKept(t *testing.T) {
	var d document
	text := `[9007199254740993,-0,1e400,0.10,123456789012345678901234567890,{"a" : 9007199254740993}]`
	if err := d.read([]byte(text)); err != nil {
		t.Fatal(err)
	}
	var got []string
	d.children(0, func(c int) bool { got = append(got, d.scalar(c)); return true })
	want := []string{"9007199254740993", "-0", "1e400", "0.10", "123456789012345678901234567890", `{"a":9007199254740993}`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzDocument compares with encoding/json: the same texts are accepted, less those with a member twice, and they
// say the same.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{
		"", "{}", "[]", "null", "true", "fals", "-0.5e+10", `"\ud83d\ude00\ud800"`, "\"\xff\xed\xa0\x80\"", "[1,2,]",
		`{"a":{"b":[1,{"c":null}]},"d":"\"\\\/\b\f\n\r\t"}`, `{"a":1,"a":2}`, " [ 1 , 2 ] ", "\uFEFF{}", "[01]", "1 2",
		`{"":"","\u0000":1e5}`, strings.Repeat("[", 600) + strings.Repeat("]", 600), `{"\ud800":1,"\ufffd":2}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var d document
		err := d.read(text)
		var se *syntaxError
		if errors.As(err, &se) && strings.HasSuffix(se.what, "occurs twice") {
			return
		}
		if valid := json.Valid(text); valid != (err == nil) {
			t.Fatalf("encoding/json says %v, we say %v", valid, err)
		}
		if err != nil {
			return
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		if got := d.values()[0]; !reflect.DeepEqual(got, want) {
			t.Fatalf("got %#v, want %#v", got, want)
		}
		if !json.Valid([]byte(d.compact(0))) {
			t.Fatalf("compact is not valid: %q", d.compact(0))
		}
	})
}
