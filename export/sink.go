package export

// sink takes what is found in a checkpoint.
type sink struct {
	entry func(List, Entry) error
	wrong func(List, Damage) // in the place of an entry, or of a list
	other func(Damage)       // anywhere else
	page  func(Page)

	list List // that is being read
}

// only is a sink for one list.
func only(list List, entry func(Entry) error, damage func(Damage)) *sink {
	return &sink{
		entry: func(l List, e Entry) error {
			if l != list {
				return nil
			}
			return entry(e)
		},
		wrong: func(l List, d Damage) {
			if l == list {
				damage(d)
			}
		},
		other: func(Damage) {}, page: func(Page) {}, list: list,
	}
}

func (s *sink) damage(d Damage) { s.wrong(s.list, d) }

// entryOrDamage gives on what a script wrote as an entry.
func (s *sink) entryOrDamage(e Entry) error {
	text, wrong := entryText(e.Text)
	if wrong != "" {
		s.damage(Damage{e.Place, wrong, e.Text})
		return nil
	}
	return s.entry(s.list, Entry{e.Place, text})
}
