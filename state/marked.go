package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"dogear/schema"
)

// markSize is how much of page 1 says whose file it is: "SQLite format 3" at 0, and the application_id as four bytes at 68.
// See https://www.sqlite.org/fileformat.html, also for the WAL below.
const markSize = 72

// marked reads, without SQLite, whether dogear made the file at path.
func marked(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("look into a file: %w", err)
	}
	defer f.Close()
	page, err := readAt(f, 0, markSize)
	if err != nil || len(page) < markSize || string(page[:16]) != "SQLite format 3\x00" {
		return false, err
	}
	switch binary.BigEndian.Uint32(page[68:]) {
	case schema.ApplicationID:
		return true, nil
	case 0:
		return markedInWAL(path + "-wal") // nothing was ever moved from there into the file
	}
	return false, nil
}

// The parts of a WAL: a header with the page size as four bytes at 8, then frames of a header, which begins with the number
// of the page, and the page.
const (
	walHeader   = 32
	frameHeader = 24
)

// markedInWAL looks for the mark in the frames that have page 1.
func markedInWAL(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look into a file: %w", err)
	}
	defer f.Close()
	header, err := readAt(f, 0, walHeader)
	if err != nil || len(header) < walHeader {
		return false, err
	}
	size := int64(binary.BigEndian.Uint32(header[8:]))
	for at := int64(walHeader); size >= 512; at += frameHeader + size {
		frame, err := readAt(f, at, frameHeader+markSize)
		if err != nil || len(frame) < frameHeader+markSize {
			return false, err
		}
		if binary.BigEndian.Uint32(frame) == 1 && binary.BigEndian.Uint32(frame[frameHeader+68:]) == schema.ApplicationID {
			return true, nil
		}
	}
	return false, nil
}

// readAt reads up to n bytes; fewer when the file is shorter.
func readAt(f *os.File, at int64, n int) ([]byte, error) {
	b := make([]byte, n)
	k, err := f.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("look into a file: %w", err)
	}
	return b[:k], nil
}
