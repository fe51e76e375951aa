package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// acceptEncoding is what every request asks for, best first.
const acceptEncoding = "gzip, deflate, br, zstd"

// maxCodings is how many codings may lie over each other. Two are seen in the wild; each costs a decoder.
const maxCodings = 4

// codingError is a body that is not in the coding that its header says.
type codingError struct {
	coding string
	err    error
}

func (e *codingError) Error() string {
	return fmt.Sprintf("the body is not %s, though its header or its first bytes say so: %v", e.coding, e.err)
}

func (e *codingError) Unwrap() error { return e.err }

// codings returns the content codings of an answer in the order in which they were applied. errEncoding names one
// that was not asked for.
func codings(header http.Header) ([]string, error) {
	var found []string
	for _, line := range header["Content-Encoding"] {
		for coding := range strings.SplitSeq(line, ",") {
			switch coding = strings.ToLower(strings.TrimSpace(coding)); coding {
			case "", "identity":
			case "gzip", "x-gzip", "deflate", "br", "zstd":
				found = append(found, coding)
			default:
				return nil, fmt.Errorf("%w: %q", errEncoding, short(coding))
			}
		}
	}
	if len(found) > maxCodings {
		return nil, fmt.Errorf("%w: %d of them, one over the other", errEncoding, len(found))
	}
	return found, nil
}

// decoded is a body without its content codings. It is read to the end of what lies below it: only then is it known
// that nothing is missing.
type decoded struct {
	io.Reader
	ends []func()
	wire *wireReader
}

// wireReader is the body as it comes; it remembers how that ended, because a decoder may say something else of it.
type wireReader struct {
	io.Reader
	err error
}

func (w *wireReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// decode undoes the codings of a body, the last first. End it.
func decode(body io.Reader, codings []string) *decoded {
	d := &decoded{Reader: body}
	if len(codings) == 0 {
		return d
	}
	d.wire = &wireReader{Reader: body}
	d.Reader = d.wire
	for i := len(codings) - 1; i >= 0; i-- {
		d.Reader = &layer{coding: codings[i], below: bufio.NewReader(d.Reader), of: d}
	}
	return d
}

func (d *decoded) end() {
	for _, end := range d.ends {
		end()
	}
}

// layer is one coding. Its decoder is made at the first byte: an empty body has none, whatever its header says.
type layer struct {
	coding string
	below  *bufio.Reader
	of     *decoded
	inner  decoder
	err    error
}

func (l *layer) Read(p []byte) (int, error) {
	if l.err == nil && l.inner == nil {
		l.err = l.begin()
	}
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.inner.Read(p)
	if err == io.EOF && l.another() {
		err = l.inner.Reset(l.below)
	}
	if err != nil {
		l.err = l.why(err)
	}
	return n, l.err
}

// another tells whether gzip goes on: a body may have several members (RFC 1952, section 2.2).
func (l *layer) another() bool {
	if _, ok := l.inner.(*gzipDecoder); !ok {
		return false
	}
	head, _ := l.below.Peek(2)
	return bytes.Equal(head, gzipMagic)
}

func (l *layer) begin() error {
	head, err := l.below.Peek(4)
	if len(head) == 0 {
		return err
	}
	d, err := l.decoder(head)
	if err == nil {
		err = d.Reset(l.below)
	}
	if err != nil {
		return l.why(err)
	}
	l.inner = d
	return nil
}

// decoder finds the decoder of the layer's coding, for a body that begins with head.
func (l *layer) decoder(head []byte) (decoder, error) {
	pool := &flates
	switch {
	case l.coding == "br":
		pool = &brotlis
	case l.coding == "zstd" && !begins(head, zstdMagic) && !skippable(head):
		return nil, errMagic
	case l.coding == "zstd":
		pool = &zstds
	case l.coding == "deflate" && isZlib(head):
		pool = &zlibs
	case l.coding == "deflate":
	case !begins(head, gzipMagic):
		return nil, errMagic
	default:
		pool = &gzips
	}
	d := pool.Get().(decoder)
	l.of.ends = append(l.of.ends, func() { pool.Put(d) })
	return d, nil
}

// why tells a body that was cut, which is the network's fault, from one that was never of this coding. What lies
// behind the end of the coded text is read to its end, and let be.
func (l *layer) why(err error) error {
	if err == io.EOF {
		_, err = io.Copy(io.Discard, io.LimitReader(l.below, drained))
		if err == nil {
			return io.EOF
		}
		return err
	}
	wire := l.of.wire.err
	switch {
	case wire != nil && wire != io.EOF:
		return wire
	case isA[*codingError](err):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return &codingError{l.coding, err}
}
