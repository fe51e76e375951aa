package job

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// shuffleBlock is how many numbers are shuffled among themselves. A longer start has its blocks in an order that looks
// random, and the numbers of each block too: what is asked for at any time is scattered over tens of thousands of
// neighbours, and what the state file keeps by URL lies together. Scattered over millions, every task that is added would
// write a page of an index for itself.
const shuffleBlock = 1 << 16

// shuffle maps 0 <= i < n onto the same numbers in an order that looks random, each exactly once.
type shuffle struct {
	full                 int64 // how many of the numbers are in whole blocks; the others come last
	blocks, within, rest permutation
}

func newShuffle(n int64, seed string) shuffle {
	full := n / shuffleBlock * shuffleBlock
	return shuffle{full, newPermutation(full/shuffleBlock, seed+" blocks"), newPermutation(shuffleBlock, seed+" within"),
		newPermutation(n-full, seed)}
}

func (s *shuffle) at(i int64) int64 {
	if i >= s.full {
		return s.full + s.rest.at(i-s.full)
	}
	block := s.blocks.at(i / shuffleBlock)
	return block*shuffleBlock + s.within.rekeyed(uint64(block)).at(i%shuffleBlock)
}

// index undoes at.
func (s *shuffle) index(v int64) int64 {
	if v >= s.full {
		return s.full + s.rest.index(v-s.full)
	}
	block := v / shuffleBlock
	return s.blocks.index(block)*shuffleBlock + s.within.rekeyed(uint64(block)).index(v%shuffleBlock)
}

// over says that all of the block that v is in come before the index from.
func (s *shuffle) over(v, from int64) bool {
	return v < s.full && (s.blocks.index(v/shuffleBlock)+1)*shuffleBlock <= from
}

// permutation maps 0 <= i < n onto the same numbers in an order that looks random, each exactly once, without a list:
// a Feistel network of four rounds over the next larger domain of an even number of bits (which any round function makes a
// bijection; M. Luby and C. Rackoff 1988), and cycle walking back into the domain asked for (J. Black and P. Rogaway 2002):
// what falls outside is mapped again. The domain is less than four times n, so that takes four rounds on average at most.
type permutation struct {
	n    uint64
	half uint // bits of each half
	keys [4]uint64
}

// newPermutation makes the permutation of n numbers that belongs to a seed text.
func newPermutation(n int64, seed string) permutation {
	p := permutation{n: uint64(n), half: uint(bits.Len64(uint64(n-1))+1) / 2}
	p.half = max(p.half, 1)
	sum := sha256.Sum256([]byte(seed))
	for i := range p.keys {
		p.keys[i] = binary.LittleEndian.Uint64(sum[8*i:])
	}
	return p
}

// rekeyed is another permutation of the same numbers, one for each number given.
func (p permutation) rekeyed(by uint64) permutation {
	for i := range p.keys {
		p.keys[i] ^= mix(by + 1)
	}
	return p
}

func (p permutation) at(i int64) int64 {
	v := p.once(uint64(i))
	for v >= p.n {
		v = p.once(v)
	}
	return int64(v)
}

// index undoes at.
func (p permutation) index(v int64) int64 {
	i := p.back(uint64(v))
	for i >= p.n {
		i = p.back(i)
	}
	return int64(i)
}

func (p permutation) once(v uint64) uint64 {
	mask := uint64(1)<<p.half - 1
	left, right := v>>p.half, v&mask
	for _, key := range p.keys {
		left, right = right, left^(mix(right+key)&mask)
	}
	return left<<p.half | right
}

// back undoes once: the same rounds from the last to the first.
func (p permutation) back(v uint64) uint64 {
	mask := uint64(1)<<p.half - 1
	left, right := v>>p.half, v&mask
	for i := len(p.keys) - 1; i >= 0; i-- {
		left, right = right^(mix(left+p.keys[i])&mask), left
	}
	return left<<p.half | right
}

// mix scatters the bits of x: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
