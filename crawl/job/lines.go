package job

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"
)

// maxLine is the longest line of a list, and the longest record of a CSV, in bytes. Nothing longer is ever in memory.
const maxLine = 64 << 10

var errLongLine = errors.New("longer than 64 KB")

// lines looks at a list line by line, and knows how much of it was taken. It never waits for more than the line that is
// asked for.
type lines struct {
	in     *bufio.Reader
	print  *xxhash.Digest // of what was taken
	place  int64          // bytes taken
	number int64          // lines taken
}

func newLines(r io.Reader, print *xxhash.Digest, place, number int64) *lines {
	return &lines{bufio.NewReaderSize(r, maxLine+1), print, place, number}
}

// at returns the line that begins from bytes behind what was taken, with its line end, without taking it. It is valid
// until the next call. io.EOF: there is none. errLongLine: it ends further than maxLine behind what was taken.
func (l *lines) at(from int) ([]byte, error) {
	for looked := from; ; {
		have, _ := l.in.Peek(l.in.Buffered())
		if looked < len(have) {
			if end := bytes.IndexByte(have[looked:], '\n'); end >= 0 {
				return have[from : looked+end+1], nil
			}
		}
		looked = max(looked, len(have))
		if len(have) > maxLine {
			return nil, errLongLine
		}
		more, err := l.in.Peek(len(have) + 1) // one read, whatever it brings
		switch {
		case len(more) > len(have):
		case err == io.EOF && len(more) > from:
			return more[from:], nil // have is where it was before the read
		case err != nil:
			return nil, err
		}
	}
}

// take goes on behind n bytes that were looked at.
func (l *lines) take(n int) {
	taken, _ := l.in.Peek(n)
	l.number += int64(bytes.Count(taken, []byte{'\n'}))
	l.count(taken)
	_, _ = l.in.Discard(n)
}

func (l *lines) count(taken []byte) {
	_, _ = l.print.Write(taken) // never fails
	l.place += int64(len(taken))
}

// skip goes on behind the end of a line, however far that is.
func (l *lines) skip() error {
	l.number++
	for {
		part, err := l.in.ReadSlice('\n')
		l.count(part)
		switch {
		case err == nil, err == io.EOF:
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// sum is the print of what was taken.
func (l *lines) sum() string { return hexSum(l.print) }

// hexSum is a hash as it is kept: 16 hex digits, as xxhsum(1) prints them.
func hexSum(print *xxhash.Digest) string { return hex.EncodeToString(print.Sum(nil)) }
