package cli

import (
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/vbauerster/cupwriter"
)

// How wide a text for people is, in columns of a terminal.
const (
	plainWidth = 100 // elsewhere than on a terminal
	leastWidth = 60
)

// screen is what a text for people is laid out for.
type screen struct {
	width    int
	terminal bool // lines are broken between words, where else that is left to whoever reads them
	colour   bool
}

// newScreen looks at where the text goes. Colours are for terminals, and for those who did not ask for none
// (https://no-color.org); the console of Windows may not know them.
func newScreen(w io.Writer) screen {
	if !drawable(w) {
		return screen{width: plainWidth}
	}
	width, _, err := cupwriter.New(w, false).GetTermSize()
	if err != nil || width <= 0 {
		width = plainWidth
	}
	return screen{
		width: max(width, leastWidth), terminal: true,
		colour: os.Getenv("NO_COLOR") == "" && runtime.GOOS != "windows",
	}
}

const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (s screen) bold(text string) string  { return s.paint(bold, text) }
func (s screen) red(text string) string   { return s.paint(red, text) }
func (s screen) green(text string) string { return s.paint(green, text) }
func (s screen) faint(text string) string { return s.paint(faint, text) }

// paint must come after the text was measured.
func (s screen) paint(code, text string) string {
	if !s.colour || text == "" || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// painted colours words of a text that was laid out, each once.
func (s screen) painted(text string, codes map[string]string) string {
	for words, code := range codes {
		text = strings.Replace(text, words, s.paint(code, words), 1)
	}
	return text
}

// cells measures as terminals draw: Chinese characters are two columns wide, what is wide only in East Asian fonts (…)
// one.
var cells = runewidth.Condition{StrictEmojiNeutral: true}

// cellWidth is how many columns a text takes.
func cellWidth(text string) int { return cells.StringWidth(text) }

// pad fills a text up with spaces to a width, on its left side when it is a number.
func pad(text string, width int, right bool) string {
	space := strings.Repeat(" ", max(width-cellWidth(text), 0))
	if right {
		return space + text
	}
	return text + space
}

// What has no width of its own would make lines of any length: a page may put any number of marks on a letter.
const (
	maxRunes = 8 // characters in one column
	maxMarks = 4 // one after the other
)

// fit cuts a text to a width, with … where something is missing.
func fit(text string, width int) string {
	short := firstRunes(text, width*maxRunes)
	whole := len(short) == len(text)
	short = fewMarks(short)
	switch n := cellWidth(short); {
	case whole && n <= width:
		return short
	case n < width:
		return short + "…"
	}
	return strings.TrimRight(cells.Truncate(short, width-1, ""), " ") + "…"
}

// maxURL is how many characters of a URL are looked at.
const maxURL = 2000

// fitURL cuts a URL to a width in its middle: what tells one from the other is at its end.
func fitURL(url string, width int) string {
	url = fewMarks(firstRunes(url, maxURL))
	if cellWidth(url) <= width {
		return url
	}
	head := cells.Truncate(url, (width-1)/3, "")
	left := width - 1 - cellWidth(head)
	return head + "…" + cells.TruncateLeft(url, cellWidth(url)-left, "")
}

func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// fewMarks leaves out the marks of a letter that has too many.
func fewMarks(text string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		if r < 0x300 || cells.RuneWidth(r) > 0 { // what is combined begins there
			marks = 0
			return r
		}
		if marks++; marks > maxMarks {
			return -1
		}
		return r
	}, text)
}

// wrap breaks a text between words where a line is full, on a terminal; later lines are indented.
func (s screen) wrap(text string, indent int) string {
	if !s.terminal || indent+cellWidth(text) <= s.width {
		return text
	}
	var out strings.Builder
	at := indent
	for i, word := range strings.Fields(text) {
		n := cellWidth(word)
		switch {
		case i == 0:
		case at+1+n > s.width:
			out.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += n
	}
	return out.String()
}
