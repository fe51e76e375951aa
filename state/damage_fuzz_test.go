package state_test

import (
	"context"
	"errors"
	"testing"

	"dogear/state"
)

// Whatever bytes a file holds, opening it ends, with a run or with an error that says why not.
func FuzzADamagedFile(f *testing.F) {
	f.Add(uint16(0), []byte("garbage"), uint16(60), []byte{0, 1})
	f.Add(uint16(100), []byte{5, 0, 0, 0, 1}, uint16(4096), []byte{13})
	f.Add(uint16(4096*4), make([]byte, 100), uint16(4096*14), []byte("CREATE TABLE x (y); DROP TABLE tasks"))
	f.Add(uint16(4096*15), []byte{0xff, 0xff, 0xff, 0xff}, uint16(28), []byte{0xff, 0xff})
	ended := shelfImages().ended
	f.Fuzz(func(t *testing.T, at uint16, some []byte, also uint16, more []byte) {
		img := ended.with("", func(b []byte) []byte {
			copy(b[int(at)%len(b):], some)
			copy(b[int(also)%len(b):], more)
			return b
		})
		o := newShelf(t).options(img.write(t))
		run, err := state.OpenRun(context.Background(), o, later)
		if err != nil {
			var newer *state.NewerError
			var changed *state.ChangedError
			if !isForeign(err) && !errors.As(err, &newer) && !errors.As(err, &changed) {
				t.Errorf("OpenRun: %v", err)
			}
			return
		}
		if err := run.Close(context.Background(), later, state.Interrupted); err != nil {
			t.Error(err)
		}
	})
}
