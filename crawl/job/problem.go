package job

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxShown is how many problems Error prints: whoever has more than that mends these first.
const maxShown = 30

// Problem is one thing that is wrong with a job file. Line and Col count from 1, Col in characters (not bytes), as
// editors show them; both are 0 when the file as a whole could not be read.
type Problem struct {
	Line, Col int
	Message   string
}

// Error is all that is wrong with a job file, in the order of the file. It holds no value of an environment variable.
type Error struct {
	Path     string // as given to Load or Parse
	Problems []Problem
	Err      error // why the file could not be read at all, such as fs.ErrNotExist; nil otherwise
}

// Error prints one problem a line, as "movies.yaml:6:3: message", the form that editors jump to.
func (e *Error) Error() string {
	shown := e.Problems[:min(len(e.Problems), maxShown)]
	lines := make([]string, 0, len(shown)+1)
	for _, p := range shown {
		if p.Line == 0 {
			lines = append(lines, fmt.Sprintf("%s: %s", e.Path, p.Message))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.Path, p.Line, p.Col, p.Message))
	}
	if more := len(e.Problems) - len(shown); more > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %d more problems", e.Path, more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns why the file could not be read.
func (e *Error) Unwrap() error { return e.Err }

// report collects problems while a file is read. lines is the file, for hints and to keep positions inside it.
type report struct {
	lines    []string
	widths   map[int]int // characters of the lines that have problems
	problems []Problem
}

// maxProblems keeps the report of a hostile file small.
const maxProblems = 1000

func (r *report) add(line, col int, format string, args ...any) {
	if len(r.problems) >= maxProblems {
		return
	}
	line = min(max(line, 1), max(len(r.lines), 1))
	col = min(max(col, 1), r.width(line)+1)
	p := Problem{Line: line, Col: col, Message: fmt.Sprintf(format, args...)}
	r.problems = append(r.problems, p)
}

// mark remembers how many problems there are, for quietSince.
func (r *report) mark() int { return len(r.problems) }

// quietSince says whether nothing was reported since a mark. What is missing is often only misspelt: then the misspelling
// is the message, and that something is missing is none.
func (r *report) quietSince(mark int) bool { return len(r.problems) == mark }

// width returns the number of characters in a line. It is kept, because a hostile file may be one line with all problems.
func (r *report) width(line int) int {
	if len(r.lines) == 0 {
		return 0
	}
	width, ok := r.widths[line]
	if !ok {
		width = utf8.RuneCountInString(r.lines[line-1])
		if r.widths == nil {
			r.widths = map[int]int{}
		}
		r.widths[line] = width
	}
	return width
}

// maxHinted is the longest line, in bytes, that is searched for hints.
const maxHinted = 10_000

// line returns the text of a line, counted from 1, for hints; "" outside the file and for a line that nobody wrote by hand.
func (r *report) line(n int) string {
	if n < 1 || n > len(r.lines) || len(r.lines[n-1]) > maxHinted {
		return ""
	}
	return r.lines[n-1]
}

// sorted returns the problems in file order, each once: what an alias brings in a second time is no second problem.
func (r *report) sorted() []Problem {
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	seen := make(map[Problem]bool, len(r.problems))
	return slices.DeleteFunc(r.problems, func(p Problem) bool {
		again := seen[p]
		seen[p] = true
		return again
	})
}
