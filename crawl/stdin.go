package crawl

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"dogear/crawl/job"
	"dogear/state"
)

// readAhead is how many requests of the standard input wait in memory.
const readAhead = 8192

// input reads the standard input, in a goroutine of its own that waits for lines, and hands on their requests without
// anybody waiting for it. What comes from it is kept once its task is committed, and nothing before that: it can't be
// read twice. So the next run reads whatever its standard input is from the beginning, and passes over what is a task
// already; when that is nothing (</dev/null), the tasks that are there are finished.
type input struct {
	from    io.Reader
	list    *job.List
	bad     badLines      // of the goroutine
	lines   chan line     // closed by the goroutine, at the end
	err     error         // what that was, when it is not the end; set before lines is closed
	ended   atomic.Bool   // lines is closed, or about to be
	arrived chan struct{} // something has come
	stop    chan struct{} // closed by Close
	gone    chan struct{} // closed when the goroutine has ended
	place   int64         // of the last request that was handed on
}

// line is a request of the input, and how many bytes there were up to it.
type line struct {
	job.Request
	place int64
}

// checkLists looks whether what the starts are read from is there, before there is a state file. In one that is there a
// list may have been read to its end.
func (p *plan) checkLists() error {
	_, err := os.Stat(p.options.Path)
	fresh := errors.Is(err, fs.ErrNotExist)
	for i := range p.options.Job.Starts {
		if l := p.options.Job.Starts[i].List(); fresh && l != nil && l.From == job.Stdin && p.noInput() {
			return terminal(l)
		}
	}
	return p.options.Job.CheckLists(fresh)
}

// noInput says whether the run needs the standard input and has none.
func (p *plan) noInput() bool { return p.options.Stdin == nil && !p.options.NoFetch }

func terminal(l *job.List) error {
	return l.Fault("from: - reads the standard input, and that is a terminal: pipe the lines in (… | dogear run JOB) " +
		"or redirect it (dogear run JOB < urls.txt); < /dev/null goes on with the tasks that there are")
}

// openInput begins to read the standard input, from its beginning whatever an earlier run read.
func (p *plan) openInput(l *job.List, m state.Mark) (state.Reading, error) {
	as := state.Reading{Cursor: m.Cursor, Total: m.Total}
	switch {
	case p.options.NoFetch && m.Known:
		return as, nil
	case p.options.NoFetch:
		return state.Reading{Total: 1}, nil
	case p.noInput() && m.Ended():
		p.warn("the standard input is a terminal, and an earlier one was read to its end: nothing is read of it")
		return as, nil
	case p.noInput():
		return as, terminal(l)
	}
	if p.input == nil { // the file may be opened a second time, when it is damaged
		p.input = newInput(p, l)
	}
	return state.Reading{Source: p.input, Total: 1}, nil
}

func newInput(p *plan, l *job.List) *input {
	i := &input{
		from: p.options.Stdin, list: l, bad: badLines{plan: p, list: l.Name()}, lines: make(chan line, readAhead),
		arrived: make(chan struct{}, 1), stop: make(chan struct{}), gone: make(chan struct{}),
	}
	go func() {
		defer close(i.gone)
		i.err = i.read()
		i.ended.Store(true)
		close(i.lines)
		i.tell()
	}()
	return i
}

// read hands on what comes, until the end.
func (i *input) read() error {
	r, err := i.list.Read(i.from)
	for err == nil {
		var q job.Request
		if q, err = r.Next(); err != nil {
			err = i.bad.pass(err)
			continue
		}
		select {
		case i.lines <- line{q, r.Place()}:
			i.tell()
		case <-i.stop:
			return nil
		}
	}
	i.bad.rest()
	if err == io.EOF {
		err = nil
	}
	return err
}

// tell wakes the committer.
func (i *input) tell() {
	select {
	case i.arrived <- struct{}{}:
	default:
	}
}

// arrivals is where to wait for something to come; nil, on which nothing ever comes, without an input.
func (i *input) arrivals() <-chan struct{} {
	if i == nil {
		return nil
	}
	return i.arrived
}

// Ready reports whether something has come that was not handed on, be it the end.
func (i *input) Ready() bool { return len(i.lines) > 0 || i.ended.Load() }

// Next hands on what has come, n requests at the most.
func (i *input) Next(n int) (b state.Batch, err error) {
	for len(b.Requests) < n && i.Ready() {
		l, more := <-i.lines // which waits no longer than it takes to close it
		if !more {
			b.End, err = i.err == nil, i.err
			break
		}
		b.Requests, i.place = append(b.Requests, l.Request), l.place
	}
	b.Place = i.place
	return b, err
}

// Close does nothing: the run may be opened a second time. closeInput ends it.
func (i *input) Close() error { return nil }

// closeInput ends the goroutine. One that waits for a line in a read that nothing can end, as of a pipe that the shell
// made, stays behind until the process ends.
func (p *plan) closeInput() {
	i := p.input
	if i == nil {
		return
	}
	close(i.stop)
	timed, ok := i.from.(interface{ SetReadDeadline(time.Time) error })
	if ok && timed.SetReadDeadline(time.Now()) == nil {
		<-i.gone
		_ = timed.SetReadDeadline(time.Time{}) // it took the other one
	}
}
