package state

import "path/filepath"

// forgetReplaced forgets what the marker says of a file that somebody has removed, or put another in the place of while
// it was being salvaged: of the next one of that name it would say that it is damaged.
func (r *Run) forgetReplaced(path string) error {
	f, err := filesOf(path)
	if err != nil {
		return err
	}
	if s := r.left.Salvaging; s != nil {
		over, err := s.overtaken(path, f)
		if err != nil || !over {
			return err
		}
		if err := removeFresh(path); err != nil {
			return err
		}
		if r.tell != nil {
			r.tell(&Salvage{Aside: filepath.Join(filepath.Dir(path), s.Name), Why: s.Why, Replaced: true})
		}
	} else if !r.left.known() || f.main >= 0 || f.orphaned() {
		return nil
	}
	r.left = marker{}
	return writeMarker(path, r.left, true)
}

// overtaken reports a file that can't be there as far as the salvage has come: it never overwrites one.
func (s *setAside) overtaken(path string, f files) (bool, error) {
	other := path + freshSuffix
	if s.Saved == nil {
		other = filepath.Join(filepath.Dir(path), s.Name)
	}
	o, err := filesOf(other)
	return f.main >= 0 && o.main >= 0, err
}
