package job

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// words is a list of texts, each as it is.
type words struct {
	list    []string
	known   map[string]bool
	lengths []int // of the texts, in bytes, each once, longest first
}

// indexed returns w ready for prefixes.
func (w words) indexed() words {
	w.known = make(map[string]bool, len(w.list))
	lengths := map[int]bool{}
	for _, word := range w.list {
		w.known[word] = true
		lengths[len(word)] = true
	}
	w.lengths = slices.Sorted(maps.Keys(lengths))
	slices.Reverse(w.lengths)
	return w
}

func (w words) count() int64                        { return int64(len(w.list)) }
func (w words) appendAt(dst []byte, i int64) []byte { return append(dst, w.list[i]...) }

func (w words) prefixes(s string, try func(int) bool) bool {
	for _, n := range w.lengths {
		if n <= len(s) && w.known[s[:n]] && try(n) {
			return true
		}
	}
	return false
}

// simple is a word that can stand in a canonical text without quotes.
var simple = regexp.MustCompile(`^[\p{L}\p{N}_.~-]+$`)

// maxListed is how many values a canonical text shows; the rest is in a hash, because it goes into the state file.
const maxListed = 20

func (w words) String() string {
	shown := make([]string, 0, min(len(w.list), maxListed))
	for _, word := range w.list[:min(len(w.list), maxListed)] {
		if !simple.MatchString(word) {
			word = strconv.Quote(word)
		}
		shown = append(shown, word)
	}
	text := strings.Join(shown, ",")
	if len(w.list) > maxListed {
		text += fmt.Sprintf(",… %d values %s", len(w.list), digest(w.list...))
	}
	return "[" + text + "]"
}

// digest is a short fingerprint of texts: 16 hex digits of a SHA-256.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
