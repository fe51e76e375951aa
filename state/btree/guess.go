package btree

import (
	"errors"
	"fmt"
	"io"
)

const (
	regionSize = 1 << 20 // bytes read at once to guess the page size: a multiple of every page size
	maxRegions = 16
)

// guessPageSize returns the page size at which most b-tree pages stand in the file, 0 when there are none. Every page
// of the true size is found at it; at a greater one only those at even places are, at a smaller one their cells lie
// outside. So the most win, and of equals the smallest. A large file is looked at in places.
func guessPageSize(db io.ReaderAt, size int64) (int, error) {
	regions := (size + regionSize - 1) / regionSize
	step := max(1, regions/maxRegions)
	counts := map[int]int{}
	buf := make([]byte, min(size, regionSize))
	for r := int64(0); r < regions; r += step {
		n, err := db.ReadAt(buf, r*regionSize)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, fmt.Errorf("look for pages: %w", err)
		}
		for size := 512; size <= 1<<16; size *= 2 {
			counts[size] += countPages(buf[:n], size, r == 0)
		}
	}
	best := 0
	for size := 512; size <= 1<<16; size *= 2 {
		if counts[size] > counts[best] {
			best = size
		}
	}
	return best, nil
}

func countPages(region []byte, size int, first bool) int {
	n := 0
	for at := 0; at+size <= len(region); at += size {
		number := uint32(2)
		if first && at == 0 {
			number = 1
		}
		if looksLikePage(number, region[at:at+size]) {
			n++
		}
	}
	return n
}

// looksLikePage reports whether a b-tree page of any kind stands here, its cells all where the page says they begin.
func looksLikePage(number uint32, data []byte) bool {
	p, err := parsePage(number, data)
	if err != nil || p.cells == 0 {
		return false
	}
	begin := p.contentStart()
	for i := range p.cells {
		at := p.pointer(i)
		if at < begin || at < p.pointersEnd() || at >= len(data) {
			return false
		}
	}
	return true
}
