package btree

// pageSet is a set of page numbers: a bitmap in pieces, since a damaged log may name page 4,000,000,000.
type pageSet map[uint32]*[64]uint64

// add reports whether n is new in the set.
func (s pageSet) add(n uint32) bool {
	piece := s[n>>12]
	if piece == nil {
		piece = new([64]uint64)
		s[n>>12] = piece
	}
	word, bit := &piece[n>>6&63], uint64(1)<<(n&63)
	isNew := *word&bit == 0
	*word |= bit
	return isNew
}

func (s pageSet) has(n uint32) bool {
	piece := s[n>>12]
	return piece != nil && piece[n>>6&63]&(1<<(n&63)) != 0
}

func (s pageSet) remove(n uint32) {
	if piece := s[n>>12]; piece != nil {
		piece[n>>6&63] &^= 1 << (n & 63)
	}
}
