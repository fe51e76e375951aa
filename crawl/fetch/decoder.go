package fetch

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// maxWindow is the most memory, in bytes, that a zstd body may ask for: what RFC 9659 allows on the web.
const maxWindow = 8 << 20

// decoder undoes one coding. A body costs tens of kB of tables, so decoders are used again.
type decoder interface {
	io.Reader
	Reset(r io.Reader) error
}

var (
	gzips   = sync.Pool{New: func() any { return new(gzipDecoder) }}
	zlibs   = sync.Pool{New: func() any { return new(zlibDecoder) }}
	flates  = sync.Pool{New: func() any { return flateDecoder{flate.NewReader(nil)} }}
	brotlis = sync.Pool{New: func() any { return brotli.NewReader(nil) }}
	zstds   = sync.Pool{New: func() any { return newZstd() }}
)

// gzipDecoder reads one member: what lies behind it need not be another.
type gzipDecoder struct{ gzip.Reader }

func (d *gzipDecoder) Reset(r io.Reader) error {
	err := d.Reader.Reset(r)
	d.Multistream(false)
	return err
}

// zlibDecoder is made at its first use: zlib's constructor wants the beginning of the text.
type zlibDecoder struct{ io.ReadCloser }

func (d *zlibDecoder) Reset(r io.Reader) (err error) {
	if d.ReadCloser == nil {
		d.ReadCloser, err = zlib.NewReader(r)
		return err
	}
	return d.ReadCloser.(zlib.Resetter).Reset(r, nil)
}

type flateDecoder struct{ io.ReadCloser }

func (d flateDecoder) Reset(r io.Reader) error { return d.ReadCloser.(flate.Resetter).Reset(r, nil) }

// newZstd makes a decoder that runs in the goroutine that reads, so it needs no end.
func newZstd() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow),
		zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // only an option could be wrong
	}
	return d
}

var errMagic = errors.New("it does not begin like that")

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// begins tells whether a body begins like that, as far as it goes.
func begins(head, magic []byte) bool {
	n := min(len(head), len(magic))
	return bytes.Equal(head[:n], magic[:n])
}

// skippable is a frame of zstd without text (RFC 8878, section 3.1.2).
func skippable(head []byte) bool {
	return len(head) == 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:], []byte{0x2a, 0x4d, 0x18})
}

// isZlib tells what deflate means by the standard (RFC 9110, section 8.4.1.2) from the bare deflate that many servers
// send: by the header of RFC 1950, section 2.2.
func isZlib(head []byte) bool {
	return len(head) >= 2 && head[0]&0x0f == 8 && head[0]>>4 <= 7 && (int(head[0])<<8|int(head[1]))%31 == 0
}
