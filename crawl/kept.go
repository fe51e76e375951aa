package crawl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"

	"dogear/crawl/fetch"
	"dogear/state"
)

// packer compresses kept pages, for any number of goroutines: each call takes one of as many encoders as there are
// processors. The fastest level: a listing of 12 kB takes 25 µs and a sixth of its place, and no less with the next
// one.
var packer = newPacker()

func newPacker() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true),
		zstd.WithZeroFrames(true))
	if err != nil {
		panic(err) // only an option could be wrong
	}
	return e
}

// keep has the page kept, if its kind says so and the task has come to its end with it. It is kept as the rules saw it,
// but for the secrets that it was asked with.
func (p *plan) keep(o *state.Outcome, kind *pageKind, page *fetch.Page) {
	if !kind.keep || o.State != state.Done && o.State != state.Failed {
		return
	}
	body := p.options.Job.HidePage(page.Body)
	o.Kept = &state.Body{
		URL: p.origin(o.Task, page.URL), Status: page.Status, ContentType: page.ContentType, Charset: page.Charset,
		At: page.At, Size: int64(len(body)), Packed: packer.EncodeAll(body, nil),
	}
}

// origin is the URL that a page came from, as it may be kept: plan.keptPage makes of it what it was. What a redirect
// wrote as ${NAME} is no secret of ours, and must not become one.
func (p *plan) origin(task state.Task, final string) string {
	j := p.options.Job
	if final == j.Fill(task.URL) {
		return task.URL
	}
	return j.HideURL(strings.ReplaceAll(final, "${", "$%7B"))
}

// errDamaged says that a page is not what was kept.
var errDamaged = errors.New("the kept page is damaged")

// unpacker gives kept pages back, to any number of goroutines.
type unpacker struct {
	*zstd.Decoder
	limit int64 // the most bytes of one: a small frame can say that it is a large one
}

func newUnpacker(limit int64) (*unpacker, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(uint64(limit)))
	if err != nil {
		return nil, fmt.Errorf("read kept pages: %w", err)
	}
	return &unpacker{d, limit}, nil
}

func (u *unpacker) unpack(b *state.Body) ([]byte, error) {
	var header zstd.Header
	switch err := header.Decode(b.Packed); {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	case b.Size < 0, header.HasFCS && header.FrameContentSize != uint64(b.Size): // a short frame does not say it
		return nil, fmt.Errorf("%w: it does not have the size that it had", errDamaged)
	case b.Size > u.limit:
		return nil, fmt.Errorf("the kept page has %d bytes, more than limits.body allows now", b.Size)
	}
	body, err := u.DecodeAll(b.Packed, nil)
	if err == nil && int64(len(body)) != b.Size {
		err = errors.New("there is something behind it")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return body, nil
}

// keptPage is a kept page as it was when the rules saw it.
func (p *plan) keptPage(b *state.Body, body []byte) *fetch.Page {
	j := p.options.Job
	return &fetch.Page{
		URL: j.Fill(b.URL), Status: b.Status, ContentType: b.ContentType, Charset: b.Charset, Body: j.FillPage(body),
		Size: b.Size, At: b.At,
	}
}
