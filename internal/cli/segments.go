package cli

import "strings"

// segment is a piece of a line that is left out when there is no room: the highest rank first, 0 never.
type segment struct {
	text string
	rank int
	code string // of its colour; "": none
}

const between = 2 // columns between two segments

// fitting leaves out what does not fit into so many columns.
func fitting(all []segment, width int) []segment {
	var kept []segment
	for _, s := range all {
		if s.text != "" {
			kept = append(kept, s)
		}
	}
	for spread(kept) > width {
		least := -1
		for i, s := range kept {
			if s.rank > 0 && (least < 0 || s.rank >= kept[least].rank) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		kept = append(kept[:least], kept[least+1:]...)
	}
	return kept
}

// spread is how many columns the segments take side by side.
func spread(all []segment) int {
	n := max(len(all)-1, 0) * between
	for _, s := range all {
		n += cellWidth(s.text)
	}
	return n
}

// line writes segments side by side, cut where even those that may not be left out are too wide.
func (s screen) line(all []segment, indent int) string {
	width := s.width - indent
	var out strings.Builder
	out.WriteString(strings.Repeat(" ", min(indent, s.width)))
	for i, piece := range fitting(all, width) {
		if i > 0 {
			piece.text = strings.Repeat(" ", between) + piece.text
		}
		if width < 1 {
			break
		}
		text := fit(piece.text, width)
		width -= cellWidth(text)
		out.WriteString(s.paint(piece.code, text))
	}
	return out.String()
}
