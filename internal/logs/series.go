package logs

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

const suffix = ".log"

// day is the part of a file's name that says which day it is of, in the time's own zone.
func day(at time.Time) string { return at.Format(time.DateOnly) }

// fileName is a job's name as the beginning of a file's.
func fileName(job string) string {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|${}`, r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(job, "_"))
	for i := range name {
		if i > 100 { // a name of a file has 255 bytes at the most
			return name[:i]
		}
	}
	return name
}

// series is a file a day. It belongs to one goroutine.
type series struct {
	dir, name string

	day     string // of file, and of what is pending
	file    *os.File
	pending bytes.Buffer
	broken  bool // the last write ended in the middle of a line
}

func (s *series) path(day string) string { return filepath.Join(s.dir, s.name+"-"+day+suffix) }

func (s *series) open(day string) error {
	f, err := os.OpenFile(s.path(day), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	s.day, s.file, s.broken = day, f, false
	return nil
}

func (s *series) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	if err != nil {
		return fmt.Errorf("close the log: %w", err)
	}
	return nil
}

// add keeps a line for the next flush; whatever is pending is of one day.
func (s *series) add(n line) {
	if s.day != n.day {
		_ = s.close() // it was written to its end, or that was told
		s.day = n.day
	}
	s.pending.Write(n.text)
}

// flush writes what is pending, all of it or what the disk takes: the rest is lost.
func (s *series) flush() error {
	if s.pending.Len() == 0 {
		return nil
	}
	defer s.pending.Reset()
	if s.file == nil {
		if err := s.open(s.day); err != nil {
			return err
		}
	}
	if s.broken { // so that what follows is a line again
		if _, err := io.WriteString(s.file, "\n"); err != nil {
			return fmt.Errorf("write the log: %w", err)
		}
		s.broken = false
	}
	n, err := s.file.Write(s.pending.Bytes())
	if err != nil {
		s.broken = n > 0
		return fmt.Errorf("write the log: %w", err)
	}
	return nil
}
