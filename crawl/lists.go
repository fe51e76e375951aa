package crawl

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"dogear/crawl/job"
	"dogear/state"
)

// shownLines is how many bad lines of a list are told one by one.
const shownLines = 10

// looked is how many records of a list a commit looks at, at the most: bad ones cost time too.
const looked = 1 << 16

// opener says how a start that is read is opened; nil for one that is computed.
func (p *plan) opener(s *job.Start) func(state.Mark) (state.Reading, error) {
	l := s.List()
	if l == nil {
		return nil
	}
	return func(m state.Mark) (state.Reading, error) {
		if l.From == job.Stdin {
			return p.openInput(l, m)
		}
		return p.openFile(l, m)
	}
}

// openFile opens a list where the last run left it.
func (p *plan) openFile(l *job.List, m state.Mark) (state.Reading, error) {
	done := state.Reading{Cursor: m.Cursor, Total: m.Cursor}
	f, err := l.Open(m.Place, m.Print)
	switch {
	case errors.Is(err, fs.ErrNotExist) && m.Ended():
		p.warn("%s is not there any more; it had been read, so nothing is missing", l.From)
		return done, nil
	case errors.Is(err, fs.ErrNotExist) && m.Cursor > 0:
		return done, goneError(err, l, m)
	case err != nil:
		return done, err
	case f.End:
		return done, f.Close()
	case f.Changed:
		m.Cursor = 0
		p.warn("%s is not what it was when it was read up to byte %d: it is read again from its beginning, "+
			"and what is a task already is passed over", l.From, m.Place)
	case m.Place == 0:
		m.Cursor = 0
	}
	source := &fileSource{f, badLines{plan: p, list: l.Name()}}
	return state.Reading{Source: source, Cursor: m.Cursor, Total: m.Cursor + f.More}, nil
}

// goneError says what to do about a file that went away before its end.
func goneError(err error, l *job.List, m state.Mark) error {
	var bad *job.Error
	if errors.As(err, &bad) {
		bad.Problems[0].Message = fmt.Sprintf("%s is not there any more, and only %d of its requests are tasks yet: "+
			"put it back and the run goes on there, or take this start out of the job file; nothing is lost", l.From, m.Cursor)
	}
	return err
}

// fileSource is a list in a file as a state.Source.
type fileSource struct {
	*job.ListFile
	bad badLines
}

// Ready reports true: a file never keeps one waiting.
func (s *fileSource) Ready() bool { return true }

// Next reads the next n requests.
func (s *fileSource) Next(n int) (b state.Batch, err error) {
	b.Requests = make([]job.Request, 0, n)
	for records := 0; len(b.Requests) < n && records < looked && !b.End && err == nil; records++ {
		var q job.Request
		switch q, err = s.ListFile.Next(); {
		case err == io.EOF:
			b.End, err = true, nil
			s.bad.rest()
		case err == nil:
			b.Requests = append(b.Requests, q)
		default:
			err = s.bad.pass(err)
		}
	}
	b.Place, b.Print = s.Place(), s.Print()
	return b, err
}

// Close closes the file.
func (s *fileSource) Close() error {
	s.bad.rest()
	return s.ListFile.Close()
}

// badLines tells the user which lines of a list are passed over: the first ones, and how many more there are.
type badLines struct {
	plan *plan
	list string
	n    int64
}

// pass returns an error that is not about a bad line.
func (b *badLines) pass(err error) error {
	var bad *job.LineError
	if !errors.As(err, &bad) {
		return err
	}
	if b.n++; b.n <= shownLines {
		b.plan.warn("%v; passed over", bad)
	}
	return nil
}

// rest says how many lines were not told, once.
func (b *badLines) rest() {
	if b.n > shownLines {
		b.plan.warn("%s: and %d more lines like these", b.list, b.n-shownLines)
	}
	b.n = 0
}
