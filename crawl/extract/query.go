package extract

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// sent returns a link of HTML with its query as a browser sends it: in the charset of the page, where the path is in
// UTF-8 (URL Standard, "percent-encode after encoding"). A server that writes GBK pages reads GBK queries. What the
// charset does not have is written as &#N;, percent-encoded.
func (v *view) sent(ref string) string {
	start := strings.IndexByte(ref, '?')
	if start < 0 || isASCII(ref[start:]) {
		return ref
	}
	charset := v.charset()
	if charset == nil {
		return ref
	}
	end := len(ref)
	if i := strings.IndexByte(ref[start:], '#'); i >= 0 {
		end = start + i
	}
	var b strings.Builder
	b.WriteString(ref[:start])
	for _, r := range ref[start:end] {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
		} else {
			b.WriteString(inCharset(charset, r))
		}
	}
	return b.String() + ref[end:]
}

// charset returns the page's encoding; nil: links are in UTF-8, as on a page in UTF-16.
func (v *view) charset() encoding.Encoding {
	if name := v.page.Charset; name == "" || strings.HasPrefix(name, "utf-") {
		return nil
	}
	charset, err := htmlindex.Get(v.page.Charset)
	if err != nil {
		return nil
	}
	return charset
}

func inCharset(charset encoding.Encoding, r rune) string {
	encoded, err := charset.NewEncoder().String(string(r))
	if err != nil {
		return "%26%23" + strconv.Itoa(int(r)) + "%3B"
	}
	var b strings.Builder
	for i := range len(encoded) {
		const digits = "0123456789ABCDEF"
		if encoded[i] < utf8.RuneSelf { // the second byte of a character may be a letter
			b.WriteByte(encoded[i])
			continue
		}
		b.Write([]byte{'%', digits[encoded[i]>>4], digits[encoded[i]&15]})
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
