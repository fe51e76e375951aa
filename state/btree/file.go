package btree

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// lockByte is the offset in bytes that SQLite locks; its page is never used, section 1.4.
const lockByte = 1 << 30

// defaultPageSize is what PageSize says when there are no pages, in bytes.
const defaultPageSize = 4096

var (
	errMissing  = errors.New("beyond the end of the file")
	errLockByte = errors.New("is the lock-byte page, which holds nothing")
)

// File is a SQLite file, however damaged. It is used by one goroutine.
type File struct {
	db, wal  io.ReaderAt
	frames   map[uint32]int64 // by page: where its content stands in the log
	header   header
	pageSize int
	whole    uint32 // pages that the file itself holds, the last one not cut
	limit    uint32 // no page behind it is readable
	expected uint32 // pages that there should be, 0 when nobody knows

	reached  pageSet // table pages that a walk came to
	overflow pageSet // overflow pages of rows that a walk read
	bad      pageSet // counted in damage.Pages for their content
	counted  pageSet // leaves whose cells are counted in damage.Cells
	damage   Damage
	faults   int // met so far, also those that are counted already
}

// Open reads the file of size bytes. wal is its write-ahead log of walSize bytes, nil for none: its frames up to the
// last commit that salts and checksums confirm lie over the pages of db. A log whose frames end in garbage is as a
// crash leaves it and no damage. The page size is the header's if that is sane, else the log's, else guessed from where
// b-tree pages stand. The only errors are those of reading db's first bytes (or, for a guess, samples of it) and wal: a
// hopeless file has no pages. Both readers must stay open as long as the File is used.
func Open(db io.ReaderAt, size int64, wal io.ReaderAt, walSize int64) (*File, error) {
	f := &File{db: db, wal: wal, reached: pageSet{}, overflow: pageSet{}, bad: pageSet{}, counted: pageSet{}}
	first, err := readUpTo(db, headerSize, size)
	if err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	f.header = readHeader(first)
	l, err := openLog(wal, walSize)
	if err != nil {
		return nil, fmt.Errorf("read the write-ahead log: %w", err)
	}
	if f.pageSize, err = choosePageSize(f.header, l, db, size); err != nil {
		return nil, err
	}
	if l.pageSize != 0 && l.pageSize == f.pageSize {
		if err := l.index(); err != nil {
			return nil, fmt.Errorf("read the write-ahead log: %w", err)
		}
	}
	f.lay(l, size)
	f.examine(l, size)
	return f, nil
}

// choosePageSize returns 0 when there is nothing to go by.
func choosePageSize(h header, l *log, db io.ReaderAt, size int64) (int, error) {
	if h.Sane {
		return h.pageSize, nil
	}
	if l.pageSize != 0 {
		return l.pageSize, nil
	}
	return guessPageSize(db, size)
}

// lay puts the pages of the log over those of the file.
func (f *File) lay(l *log, size int64) {
	if f.pageSize == 0 {
		f.pageSize = defaultPageSize
		return
	}
	f.whole = uint32(min(max(size, 0)/int64(f.pageSize), 1<<32-2)) // section 1.2: there are no more
	f.limit = f.whole
	if l.pages == 0 {
		return
	}
	f.frames, f.expected = l.frames, l.pages
	f.whole = min(f.whole, l.pages)
	f.limit = f.whole
	for n := range f.frames {
		f.limit = max(f.limit, n)
	}
}

// examine reads the header that lies on top and counts what can be known to be missing.
func (f *File) examine(l *log, size int64) {
	page1 := make([]byte, f.pageSize)
	err := f.read(1, page1)
	if _, inLog := f.frames[1]; inLog && err == nil {
		if f.header = readHeader(page1); f.header.pageSize != f.pageSize {
			f.header = header{}
		}
	}
	switch {
	case f.header.Sane || size == 0 && f.limit == 0:
	case err == nil && zeroed(page1):
		f.badPage(1, errZeroed)
	default:
		f.badPage(1, errors.New("garbage header"))
	}
	if f.expected == 0 {
		f.expected = f.header.pages
	}
	f.countMissing(size)
	switch {
	case l.garbage:
		f.damage.Pages++
		f.note("write-ahead log: garbage header")
	case l.pageSize != 0 && l.pageSize != f.pageSize:
		f.damage.Pages++
		f.note("write-ahead log: its pages have %d bytes, those of the file %d", l.pageSize, f.pageSize)
	}
}

func (f *File) countMissing(size int64) {
	have := f.whole
	for n := range f.frames {
		if n > f.whole {
			have++
		}
	}
	switch {
	case f.expected > have:
		f.damage.Pages += int(f.expected - have)
		f.note("file ends at page %d of %d", f.whole, f.expected)
	case f.expected == 0 && f.whole > 0 && size%int64(f.pageSize) != 0:
		f.damage.Pages++
		f.note("file ends within page %d", f.whole+1)
	}
}

// PageSize returns the size of a page in bytes.
func (f *File) PageSize() int { return f.pageSize }

// Pages returns the number of the last page that is there, in the file or in its log; 0 for a hopeless file. One that
// is cut is not there.
func (f *File) Pages() uint32 { return f.limit }

// Header returns what the first 100 bytes say, those in the log if it has them.
func (f *File) Header() Header { return f.header.Header }

func (f *File) usable() int { return f.pageSize - f.header.reserved }

// has reports whether page n is in the file or in its log.
func (f *File) has(n uint32) bool {
	_, inLog := f.frames[n]
	return inLog || n > 0 && n <= f.whole
}

// read fills b, which has the size of a page, with page n. Its error says in words why it can't.
func (f *File) read(n uint32, b []byte) error {
	if at, ok := f.frames[n]; ok {
		return readPage(f.wal, b, at)
	}
	if n == 0 || n > f.whole {
		return errMissing
	}
	at := int64(n-1) * int64(f.pageSize)
	if at <= lockByte && lockByte < at+int64(f.pageSize) {
		return errLockByte
	}
	return readPage(f.db, b, at)
}

func readPage(r io.ReaderAt, b []byte, at int64) error {
	if n, err := r.ReadAt(b, at); n < len(b) {
		return fmt.Errorf("can't be read: %w", err)
	}
	return nil
}

// numbers yields the pages that are there, in order.
func (f *File) numbers(yield func(uint32) bool) {
	for n := uint32(1); n <= f.whole; n++ {
		if !yield(n) {
			return
		}
	}
	for _, n := range slices.Sorted(maps.Keys(f.frames)) {
		if n > f.whole && !yield(n) {
			return
		}
	}
}

// readUpTo reads the first n bytes, or what there is of them.
func readUpTo(r io.ReaderAt, n int, size int64) ([]byte, error) {
	b := make([]byte, min(int64(n), max(size, 0)))
	got, err := r.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b[:got], nil
}
