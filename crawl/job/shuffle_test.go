package job

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestAPermutationYieldsEachNumberOnce(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 63, 64, 65, 100, 255, 256, 257, 1000, 4096, 4097, 65536, 65537, 100_003} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := newPermutation(n, "seed")
			seen := make([]bool, n)
			moved := int64(0)
			for i := range n {
				v := p.at(i)
				if v < 0 || v >= n || seen[v] {
					t.Fatalf("%d -> %d, out of range or for the second time", i, v)
				}
				seen[v] = true
				if v != i {
					moved++
				}
			}
			if n >= 100 && moved < n*9/10 {
				t.Errorf("only %d of %d moved", moved, n)
			}
		})
	}
}

func TestAShuffleYieldsEachNumberOnceAndKeepsToItsBlocks(t *testing.T) {
	for _, n := range []int64{1, 2, 1000, shuffleBlock - 1, shuffleBlock, shuffleBlock + 1, 5*shuffleBlock + 12_345} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newShuffle(n, "seed")
			seen := make([]bool, n)
			var order []int64 // of blocks
			moved := int64(0)
			for i := range n {
				v := s.at(i)
				if v < 0 || v >= n || seen[v] {
					t.Fatalf("%d -> %d, out of range or for the second time", i, v)
				}
				seen[v] = true
				if v%shuffleBlock != i%shuffleBlock {
					moved++
				}
				if block := v / shuffleBlock; i%shuffleBlock == 0 {
					order = append(order, block)
				} else if block != order[len(order)-1] {
					t.Fatalf("%d -> %d, outside of the block of its neighbours", i, v)
				}
			}
			if n >= 100 && moved < n*9/10 {
				t.Errorf("only %d of %d moved", moved, n)
			}
			if len(order) == 6 && slices.IsSorted(order[:5]) {
				t.Errorf("blocks in order: %v", order)
			}
		})
	}
}

func TestBlocksOfAShuffleDiffer(t *testing.T) {
	s := newShuffle(2*shuffleBlock, "seed")
	same := 0
	for i := range int64(shuffleBlock) {
		if s.at(i)%shuffleBlock == s.at(i+shuffleBlock)%shuffleBlock {
			same++
		}
	}
	if same > 20 { // one is expected
		t.Errorf("%d numbers are at the same place in both", same)
	}
}

func TestSmallPermutationsDifferBySeed(t *testing.T) {
	for _, n := range []int64{2, 3, 5} {
		orders := map[string]bool{}
		for seed := range 200 {
			p := newPermutation(n, fmt.Sprint(seed))
			order := ""
			for i := range n {
				order += fmt.Sprint(p.at(i), " ")
			}
			orders[order] = true
		}
		if factorial := map[int64]int{2: 2, 3: 6, 5: 60}[n]; len(orders) < factorial {
			t.Errorf("200 seeds make %d orders of %d numbers", len(orders), n)
		}
	}
}

func TestAPermutationScatters(t *testing.T) {
	const n = 50_000
	p := newPermutation(n, "seed")
	neighbours := 0
	for i := range int64(n - 1) {
		if d := p.at(i+1) - p.at(i); d == 1 || d == -1 {
			neighbours++
		}
	}
	if neighbours > 20 { // two are expected
		t.Errorf("%d of %d steps go to the neighbour", neighbours, n)
	}
}

func TestAPermutationOfAllNumbersThereAre(t *testing.T) {
	p := newShuffle(math.MaxInt64, "seed")
	seen := map[int64]bool{}
	for _, i := range []int64{0, 1, 2, math.MaxInt64 / 2, math.MaxInt64 - 1} {
		v := p.at(i)
		if v < 0 || v == math.MaxInt64 || seen[v] {
			t.Errorf("%d -> %d", i, v)
		}
		seen[v] = true
	}
}

func TestShuffleIsTheSameOrderEachTime(t *testing.T) {
	const start = `{url: "https://a.example/{id}", id: 1..50, order: shuffle}`
	one, again := urls(startOf(t, start)), urls(startOf(t, start))
	if one != again {
		t.Errorf("%s\n%s", one, again)
	}
	if inOrder := urls(startOf(t, `{url: "https://a.example/{id}", id: 1..50}`)); one == inOrder {
		t.Error("not shuffled")
	}
}

func BenchmarkRequestShuffled(b *testing.B) {
	job, err := Parse("x.yaml", []byte(`{start: {url: "https://api.example.com/v1/product/{id}", id: 1..500000, order: shuffle}, records: {fields: {a: b}}}`), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := int64(0); b.Loop(); i++ {
		job.Starts[0].Request(i % 500000)
	}
}
