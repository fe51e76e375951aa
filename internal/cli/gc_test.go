package cli

import "testing"

func TestTheMoreLivesTheLessTheHeapGrows(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{
		{0, 200}, {1 << 20, 200}, {66 << 20, 200}, {80 << 20, 150}, {100 << 20, 100}, {133 << 20, 50}, {1 << 30, 50}, {1 << 40, 50},
	} {
		if got := growth(c.live); got != c.want {
			t.Errorf("%d MB live: %d percent, want %d", c.live>>20, got, c.want)
		}
	}
}
