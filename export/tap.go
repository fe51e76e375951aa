package export

import (
	"bytes"
	"errors"
	"io"
)

// maxToken is how much of a text may have no end of a value in it, in bytes.
const maxToken = 64 << 20

// tap is a reader that keeps what was read and not yet skipped, and knows the line and the column there.
type tap struct {
	r     io.Reader
	err   error // other than io.EOF
	large bool  // more than maxToken is kept

	buf  []byte
	base int64 // where buf begins in the text
	line int   // from 1
	col  int   // in bytes, from 0
}

// Read reads on.
func (t *tap) Read(p []byte) (int, error) {
	if len(t.buf) > maxToken {
		t.large = true
		return 0, io.ErrUnexpectedEOF
	}
	n, err := t.r.Read(p)
	t.buf = append(t.buf, p[:n]...)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}
	return n, err
}

// spaces is how many of the next bytes stand between tokens.
func (t *tap) spaces() int {
	return len(t.buf) - len(bytes.TrimLeft(t.buf, " \t\r\n,:"))
}

// skip leaves n bytes behind. What it gave is whole until the next Read.
func (t *tap) skip(n int) {
	passed := t.buf[:n]
	if lines := bytes.Count(passed, []byte{'\n'}); lines > 0 {
		t.line += lines
		t.col = n - 1 - bytes.LastIndexByte(passed, '\n')
	} else {
		t.col += n
	}
	t.buf, t.base = t.buf[n:], t.base+int64(n)
}
