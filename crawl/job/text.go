package job

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// maxText is the size of the largest job file, in bytes. A longer list of URLs belongs into a file of its own.
const maxText = 10_000_000

const bom = "\ufeff"

// readText reads a job file, but no more than one byte over the limit of it.
func readText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err != nil {
		return nil, fmt.Errorf("read job file: %w", err)
	}
	return text, nil
}

// plainText is a job file without what editors leave in it: a byte order mark, CR LF or CR as line ends. Lines and
// columns stay what the editor shows.
func plainText(text []byte) string {
	s := strings.TrimPrefix(string(text), bom)
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return s
}

// checkText says whether a file can be a job file at all, before a YAML reader sees it.
func checkText(r *report, text []byte, plain string) bool {
	switch {
	case len(text) > maxText:
		r.add(1, 1, "too large for a job file (more than %d MB)", maxText/1_000_000)
	case strings.HasPrefix(plain, "\xff\xfe") || strings.HasPrefix(plain, "\xfe\xff"):
		r.add(1, 1, "saved as UTF-16; save it as UTF-8")
	default:
		return checkCharacters(r)
	}
	return false
}

// checkCharacters finds the first character that has no place in a YAML text.
func checkCharacters(r *report) bool {
	for i, line := range r.lines {
		col := 0
		for j, c := range line {
			col++
			switch {
			case c == utf8.RuneError && !strings.HasPrefix(line[j:], string(utf8.RuneError)):
				r.add(i+1, col, "not UTF-8 from here on; save the file as UTF-8 (it may be GBK, Big5 or Windows-1252 now)")
				return false
			case c < ' ' && c != '\t', c == 0x7f, c >= maskBase && c < maskBase+0x80:
				r.add(i+1, col, "not a text file (here is the character %U); a job file is YAML, saved as UTF-8", c)
				return false
			}
		}
	}
	return true
}
