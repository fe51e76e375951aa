package powercut

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

type kind int

const (
	makeName kind = iota // the name did not exist
	removeName
	write
	truncate
	syncFile
	syncFolder
)

func (k kind) String() string {
	return [...]string{"make", "remove", "write", "truncate", "sync", "sync folder"}[k]
}

// op is what a system call did to a file, which is named within the folder.
type op struct {
	kind       kind
	name       string
	at         int64 // of a write
	data       []byte
	size       int64 // of a truncation
	start, end int   // moments; never: it did not end
}

func (o *op) String() string {
	return fmt.Sprintf("%s %s at %d, %d bytes, size %d [%d, %d]",
		o.kind, o.name, o.at, len(o.data), o.size, o.start, o.end)
}

// history is all that happened to some files of a folder, which had none of them at first. The operations are in the
// order in which they started.
type history struct {
	folder string
	names  []string
	ops    []*op
	exists map[string]bool
	clock  int
}

func newHistory(folder string, names ...string) *history {
	return &history{folder: folder, names: names, exists: map[string]bool{}}
}

// errUnmodelled is the error of a call that does to a file what the disk here knows nothing of.
var errUnmodelled = errors.New("a call that is not modelled")

// add appends what a trace tells of one more run.
func (h *history) add(trace io.Reader) error {
	calls, clock, err := parseTrace(trace, h.clock)
	if err != nil {
		return err
	}
	h.clock = clock
	for _, c := range calls {
		if err := h.take(c); err != nil {
			return fmt.Errorf("%s at moment %d: %w", c.name, c.start, err)
		}
	}
	return nil
}

// take appends what a call did. One that failed did nothing; one that did not end may have done all of it.
func (h *history) take(c *call) error {
	path, deleted := c.target()
	name := filepath.Base(path)
	ours := filepath.Dir(path) == h.folder && slices.Contains(h.names, name)
	ended := c.end != never
	o := &op{name: name, start: c.start, end: c.end}
	switch {
	case path == h.folder && (c.name == "fsync" || c.name == "fdatasync"):
		o.kind = syncFolder
	case !ours, c.name == "close":
		return nil
	case ended && c.result < 0:
		return h.failed(c)
	case deleted:
		return fmt.Errorf("on a removed file: %w", errUnmodelled)
	default:
		if err := h.describe(c, o); err != nil || o.name == "" {
			return err
		}
	}
	h.ops = append(h.ops, o)
	return nil
}

// failed lets pass that a file was not there; a write or sync that fails has no place in this test.
func (h *history) failed(c *call) error {
	if strings.HasPrefix(c.name, "open") || strings.HasPrefix(c.name, "unlink") {
		return nil
	}
	return fmt.Errorf("it failed: %w", errUnmodelled)
}

// target is the path that a call is about: of a file descriptor, or given as text.
func (c *call) target() (path string, deleted bool) {
	for _, a := range c.args {
		if strings.HasPrefix(a.text, "AT_FDCWD") {
			continue
		}
		if a.path != "" {
			return a.path, a.deleted
		}
	}
	return "", false
}

// describe fills in o; an empty name says that nothing was done.
func (h *history) describe(c *call, o *op) (err error) {
	switch c.name {
	case "open", "openat", "creat":
		return h.describeOpen(c, o)
	case "unlink", "unlinkat":
		o.kind = removeName
		h.exists[o.name] = false
	case "pwrite64":
		return o.describeWrite(c)
	case "ftruncate":
		o.kind = truncate
		if len(c.args) < 2 {
			return errShort
		}
		o.size, err = c.args[1].number()
	case "fsync", "fdatasync":
		o.kind = syncFile
	default: // write and writev among them: where they write is not in the trace
		return errUnmodelled
	}
	return err
}

func (h *history) describeOpen(c *call, o *op) error {
	flags := ""
	for _, a := range c.args {
		flags += a.text + "|"
	}
	switch {
	case c.name == "creat" || strings.Contains(flags, "O_TRUNC"):
		return errUnmodelled
	case h.exists[o.name] || !strings.Contains(flags, "O_CREAT"):
		o.name = ""
	default:
		o.kind = makeName
		h.exists[o.name] = true
	}
	return nil
}

func (o *op) describeWrite(c *call) (err error) {
	if len(c.args) < 4 {
		return errShort
	}
	data := c.args[1]
	if data.cut {
		return errors.New("the data is cut short, strace -s must be larger")
	}
	o.kind, o.data = write, data.data
	if c.end != never {
		o.data = data.data[:min(int(c.result), len(data.data))]
	}
	o.at, err = c.args[3].number()
	if err == nil && o.at < 0 {
		err = errors.New("negative offset")
	}
	return err
}
