package bench

import (
	"testing"

	"dogear/internal/practice"
)

// One small round, so that the comparison still compares the same: both bring home every product, which work.byDogear and
// the loop check, and both are measured.
func TestBothBringHomeEveryProduct(t *testing.T) {
	const products = 500
	w := work{url: site(t, practice.Options{Products: products, Quiet: true}, anyCPU), tasks: products, workers: 16, cpu: anyCPU}
	r := inTurns(t, w, 2)
	for _, u := range append(r.dogear, r.loop...) {
		if u.took <= 0 || u.cpu <= 0 {
			t.Errorf("not measured: %+v", u)
		}
	}
	t.Logf("%d products a run\n%s", products, r)
}

func TestMedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{7}, 7},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 2, 100}, 3},
	} {
		if got := median(c.values); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.values, got, c.want)
		}
	}
}
