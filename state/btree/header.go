package btree

import (
	"bytes"
	"encoding/binary"
)

// headerSize is the length of the database header in bytes, section 1.3.
const headerSize = 100

var magic = []byte("SQLite format 3\x00")

// Header is what the first 100 bytes of a file say. ApplicationID and UserVersion are 0 when they are not sane. The
// header of a UTF-16 file counts as not sane: a state file is UTF-8, and so its text is read.
type Header struct {
	Sane                       bool
	ApplicationID, UserVersion uint32
}

// header is all that is wanted of the database header.
type header struct {
	Header
	pageSize, reserved int
	pages              uint32 // how many there should be; 0 when the header does not know
	freelist           uint32 // the first trunk page; 0 for none
}

// readHeader reads the database header, section 1.3. What it returns is empty unless it is sane.
func readHeader(b []byte) header {
	if len(b) < headerSize || !saneHeader(b) {
		return header{}
	}
	be := binary.BigEndian
	h := header{
		Header:   Header{Sane: true, ApplicationID: be.Uint32(b[68:]), UserVersion: be.Uint32(b[60:])},
		pageSize: pageSizeOf(uint32(be.Uint16(b[16:]))),
		reserved: int(b[20]),
		freelist: be.Uint32(b[32:]),
	}
	if be.Uint32(b[24:]) == be.Uint32(b[92:]) { // section 1.3.7: otherwise an old SQLite left the size as it was
		h.pages = be.Uint32(b[28:])
	}
	return h
}

func saneHeader(b []byte) bool {
	size := pageSizeOf(uint32(binary.BigEndian.Uint16(b[16:])))
	version := func(v byte) bool { return v == 1 || v == 2 }
	format, encoding := binary.BigEndian.Uint32(b[44:]), binary.BigEndian.Uint32(b[56:])
	return bytes.HasPrefix(b, magic) && size != 0 && size-int(b[20]) >= 480 && version(b[18]) && version(b[19]) &&
		b[21] == 64 && b[22] == 32 && b[23] == 32 && format <= 4 && encoding <= 1 && zeroed(b[72:92])
}

// pageSizeOf returns the page size in bytes that a stored one means, 0 for one that can't be. 1 stands for 65536.
func pageSizeOf(stored uint32) int {
	if stored == 1 {
		return 1 << 16
	}
	if stored < 512 || stored > 1<<16 || stored&(stored-1) != 0 {
		return 0
	}
	return int(stored)
}

func zeroed(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
