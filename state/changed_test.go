package state_test

import (
	"errors"
	"testing"

	"dogear/state"
)

func TestAJobWithAnotherTextIsAskedAboutAndARefusalChangesNothing(t *testing.T) {
	f := newFile(t)
	o := f.with(productStart(3))
	o.Changed = func(string, []byte) error { return errors.New("asked without need") }
	for range 2 { // new, and the same
		if err := f.openAt(epoch, o).Close(f.ctx, epoch, state.Stopped); err != nil {
			t.Fatal(err)
		}
	}
	was, name := string(o.Text), ""
	no := errors.New("no")
	o.Text, o.Changed = []byte(was+"# more\n"), func(n string, text []byte) error { name = n + ": " + string(text); return no }
	if _, err := state.OpenRun(f.ctx, o, epoch); !errors.Is(err, no) || name != o.Name+": "+was {
		t.Fatalf("error %v, asked about %q", err, name)
	}
	if kept, err := f.store().Job(f.ctx); err != nil || kept.Text != was {
		t.Errorf("%+v, %v", kept, err)
	}
	if runs, err := f.store().Runs(f.ctx, 9); err != nil || len(runs) != 2 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}
