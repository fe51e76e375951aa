package powercut

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// never is the end of a call that did not end: its process was killed.
const never = math.MaxInt

// call is a system call as strace shows it. Its start and its end are moments of the trace's own clock, which ticks
// twice a line: a call on one line starts at an even moment and ends at the next.
type call struct {
	name       string
	args       []argument
	result     int64 // -1 when it failed
	start, end int
}

// errShort is the error of a line that is not whole.
var errShort = errors.New("the line ends too early")

// unfinished and resumed mark a call that another thread's line came between.
const unfinished, resumedStart, resumedEnd = " <unfinished ...>", "<... ", " resumed>"

// parseTrace reads what `strace -f -y` wrote, beginning at a moment, and returns the calls by their start and the
// moment after the last line.
func parseTrace(r io.Reader, clock int) ([]*call, int, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<20), 64<<20)
	var calls []*call
	open := map[string]begun{} // by thread
	for ; lines.Scan(); clock += 2 {
		pid, text := cutPID(lines.Text())
		if text == "" || strings.HasPrefix(text, "+++") || strings.HasPrefix(text, "---") {
			continue
		}
		c, b, err := parseLine(text, clock, open[pid])
		if err != nil {
			return nil, clock, fmt.Errorf("trace, line of moment %d, %.120q: %w", clock, text, err)
		}
		if delete(open, pid); b.call != nil {
			open[pid] = b
		}
		if c != nil {
			calls = append(calls, c)
		}
	}
	return calls, clock, lines.Err()
}

// begun is a call that is not over and the text of it so far.
type begun struct {
	call *call
	text string
}

// parseLine reads a line and returns the call that starts on it, if one does, and the one that is not over after it.
func parseLine(text string, clock int, before begun) (*call, begun, error) {
	if head, cut := strings.CutSuffix(text, unfinished); cut {
		c := &call{start: clock, end: never}
		if err := c.parse(head); err != nil && !errors.Is(err, errShort) {
			return nil, begun{}, err
		}
		return c, begun{c, head}, nil
	}
	rest, resumed := strings.CutPrefix(text, resumedStart)
	if !resumed {
		c := &call{start: clock, end: clock + 1}
		return c, begun{}, c.parse(text)
	}
	_, rest, ok := strings.Cut(rest, resumedEnd)
	if !ok || before.call == nil {
		return nil, begun{}, errors.New("nothing to resume")
	}
	c := before.call
	c.args, c.end = nil, clock+1
	return nil, begun{}, c.parse(before.text + rest)
}

// parse reads name(arguments) = result. It keeps what there is of a text that ends too early.
func (c *call) parse(text string) error {
	name, rest, ok := strings.Cut(text, "(")
	if !ok || name == "" || strings.ContainsAny(name, " \"<") {
		return errors.New("not a call")
	}
	c.name = name
	args, rest, err := parseArguments(rest)
	c.args = args
	if err != nil {
		return err
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), "= ")
	if !ok {
		return errShort
	}
	end := 0
	for end < len(rest) && (rest[end] == '-' || '0' <= rest[end] && rest[end] <= '9') {
		end++
	}
	if rest != "" && rest[0] == '?' { // the process ended within the call
		c.end = never
		return nil
	}
	if c.result, err = strconv.ParseInt(rest[:end], 10, 64); err != nil {
		return fmt.Errorf("result: %w", err)
	}
	return nil
}

// cutPID takes the thread's id off the front of a line.
func cutPID(line string) (pid, rest string) {
	end := 0
	for end < len(line) && '0' <= line[end] && line[end] <= '9' {
		end++
	}
	return line[:end], strings.TrimLeft(line[end:], " ")
}
