package btree

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// Lengths in bytes, section 4.1.
const (
	logHeaderSize   = 32
	frameHeaderSize = 24
)

// log is a write-ahead log, section 4. The zero value is none.
type log struct {
	io.Reader
	pageSize int
	garbage  bool // it is long enough to hold something, but its header is not one
	order    binary.ByteOrder
	salts    [8]byte
	sum      checksum

	frames map[uint32]int64 // by page: the offset of its content, as of the last commit
	pages  uint32           // the size of the database in pages after the last commit; 0: there is none
}

// WALSalt returns the first salt of a write-ahead log's header, its first 32 bytes; ok is false when it is no such
// header. SQLite adds one to it whenever it begins the log anew.
func WALSalt(header []byte) (salt uint32, ok bool) {
	var l log
	if !l.readHeader(header) {
		return 0, false
	}
	return binary.BigEndian.Uint32(l.salts[:]), true
}

// openLog reads the header of a log. A log shorter than that is none.
func openLog(r io.ReaderAt, size int64) (*log, error) {
	l := &log{}
	if r == nil || size < logHeaderSize {
		return l, nil
	}
	l.Reader = bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 1<<18)
	header := make([]byte, logHeaderSize)
	switch _, err := io.ReadFull(l, header); {
	case ended(err):
		return l, nil
	case err != nil:
		return nil, err
	}
	l.garbage = !l.readHeader(header) && size > logHeaderSize
	return l, nil
}

// readHeader reads the log's header, section 4.1, and reports whether it is one, by its magic and its own checksum.
func (l *log) readHeader(b []byte) bool {
	if len(b) < logHeaderSize {
		return false
	}
	be := binary.BigEndian
	switch be.Uint32(b) {
	case 0x377f0682:
		l.order = binary.LittleEndian
	case 0x377f0683:
		l.order = binary.BigEndian
	default:
		return false
	}
	size := pageSizeOf(be.Uint32(b[8:]))
	l.sum = checksum{}.add(l.order, b[:24])
	if size == 0 || be.Uint32(b[4:]) != 3007000 || !l.sum.equal(b[24:]) {
		return false
	}
	l.pageSize = size
	copy(l.salts[:], b[16:24])
	return true
}

// index notes where the pages stand, up to the last commit. Frames are valid as long as their salts are the header's
// and the checksum over all of them so far is right, section 4.2; the first that is not ends the log.
func (l *log) index() error {
	frame := make([]byte, frameHeaderSize+l.pageSize)
	l.frames = map[uint32]int64{}
	begun := map[uint32]int64{} // by the transaction that is not committed yet
	for at := int64(logHeaderSize); ; at += int64(len(frame)) {
		if _, err := io.ReadFull(l, frame); ended(err) || err == nil && !l.valid(frame) {
			break
		} else if err != nil {
			return err
		}
		begun[binary.BigEndian.Uint32(frame)] = at + frameHeaderSize
		if pages := binary.BigEndian.Uint32(frame[4:]); pages != 0 {
			l.commit(begun, pages)
		}
	}
	for n := range l.frames {
		if n > l.pages {
			delete(l.frames, n) // cut off by a later commit
		}
	}
	return nil
}

func (l *log) commit(begun map[uint32]int64, pages uint32) {
	for n, at := range begun {
		l.frames[n] = at
	}
	clear(begun)
	l.pages = pages
}

func (l *log) valid(frame []byte) bool {
	if binary.BigEndian.Uint32(frame) == 0 || [8]byte(frame[8:16]) != l.salts {
		return false
	}
	l.sum = l.sum.add(l.order, frame[:8]).add(l.order, frame[frameHeaderSize:])
	return l.sum.equal(frame[16:])
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// checksum is the log's, section 4.2.
type checksum [2]uint32

// add goes on over b, whose length is a multiple of 8 bytes.
func (s checksum) add(order binary.ByteOrder, b []byte) checksum {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
	return s
}

func (s checksum) equal(stored []byte) bool {
	return binary.BigEndian.Uint32(stored) == s[0] && binary.BigEndian.Uint32(stored[4:]) == s[1]
}
