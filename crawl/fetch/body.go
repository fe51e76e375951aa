package fetch

import (
	"bytes"
	"io"
	"net/http"
)

const (
	// presize bounds what is allocated on the word of a Content-Length, which may lie.
	presize = 64 << 10
	// drained is how much of an unwanted body is read to keep its connection; a longer one costs the connection.
	drained = 16 << 10
)

// readBody reads a body to its end and undoes its content codings. Over the limit, which counts what comes of that,
// is errTooLarge, short of its Content-Length io.ErrUnexpectedEOF: a part of a body never counts as a body. The slice
// is the caller's.
func readBody(r *http.Response, limit int64) ([]byte, error) {
	if r.Body == http.NoBody {
		return nil, nil
	}
	if r.ContentLength > limit {
		return nil, errTooLarge
	}
	codings, err := codings(r.Header)
	if err != nil {
		return nil, err
	}
	from := decode(r.Body, codings)
	defer from.end()
	size := int64(512)
	switch {
	case len(codings) > 0:
		size = 4 << 10
	case r.ContentLength >= 0:
		size = min(r.ContentLength, presize) + 1 // one more, so that the end is seen without growing
	}
	return readUpTo(from, limit, size)
}

// readUpTo reads to the end; size is how much room is made at first.
func readUpTo(from io.Reader, limit, size int64) ([]byte, error) {
	body := make([]byte, 0, size)
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, errTooLarge
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, err
		case len(body) == cap(body):
			body = append(body, 0)[:len(body)]
		}
	}
}

// drain reads the rest of a short unwanted body, so that the connection can be used again. Its errors do not matter:
// the status is known.
func drain(r *http.Response) {
	if r.StatusCode != http.StatusSwitchingProtocols && r.ContentLength <= drained {
		_, _ = io.CopyN(io.Discard, r.Body, drained)
	}
}

// unzip unpacks a gzip file, whatever number of members it has. What is wrong with it is so in the file, not on the
// way.
func unzip(file []byte, limit int64) ([]byte, error) {
	from := decode(bytes.NewReader(file), []string{"gzip"})
	defer from.end()
	body, err := readUpTo(from, limit, 4<<10)
	if err != nil && err != errTooLarge {
		return nil, &codingError{"gzip", err}
	}
	return body, err
}
