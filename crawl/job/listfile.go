package job

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/cespare/xxhash/v2"
)

// ListFile is a list in a file that was opened where it had been left.
type ListFile struct {
	*ListReader
	More    int64 // requests that are ahead, at most
	End     bool  // all of it had been read
	Changed bool  // it is not what had been read, so it begins at its beginning
	file    *os.File
}

// Close closes the file.
func (f *ListFile) Close() error { return f.file.Close() }

// Open opens the file of a list that had been read up to a place, with the print of that. When what stands before the
// place is another text now it begins anew. Errors are *Error; one about a file that is not there is fs.ErrNotExist.
func (l *List) Open(place int64, print string) (*ListFile, error) {
	file, err := l.open()
	if err != nil {
		return nil, err
	}
	f := &ListFile{file: file}
	if err := f.begin(l, place, print); err != nil {
		return nil, errors.Join(l.explained(err), file.Close())
	}
	return f, nil
}

// open opens the file and looks whether it can be a list.
func (l *List) open() (*os.File, error) {
	info, err := os.Stat(l.path) // before it is opened, which for a pipe waits until somebody writes to it
	if err == nil && !info.Mode().IsRegular() {
		err = l.Fault("%s is no file that can be read twice; what comes from a pipe is read with from: -", l.Name())
	}
	if err != nil {
		return nil, l.explained(err)
	}
	file, err := os.Open(l.path)
	if err != nil {
		return nil, l.explained(err)
	}
	if err = l.isText(file); err != nil {
		return nil, errors.Join(l.explained(err), file.Close())
	}
	return file, nil
}

// isText refuses the Unicode text of Windows programs, of which no line could be read.
func (l *List) isText(file *os.File) error {
	var head [2]byte
	n, err := file.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return err
	}
	if s := string(head[:n]); s == "\xff\xfe" || s == "\xfe\xff" {
		return l.Fault("%s is saved as UTF-16; save it as UTF-8", l.Name())
	}
	return nil
}

// explained makes an *Error of a file's error.
func (l *List) explained(err error) error {
	var known *Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, fs.ErrNotExist):
		known = l.Fault("there is no file %s (looked for beside the job file)", l.Name())
	default:
		known = l.Fault("read %s: %v", l.Name(), bareError(err))
	}
	known.Err = err
	return known
}

// begin finds the place where to go on.
func (f *ListFile) begin(l *List, place int64, print string) error {
	p, err := passOver(f.file, place)
	if err != nil {
		return err
	}
	f.Changed = place > 0 && !p.holds(place, print)
	if f.Changed || place == 0 {
		place, p.behind = 0, p.before+p.behind
	}
	f.End = place > 0 && place == p.size
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if f.ListReader, err = l.Read(f.file); err != nil {
		return err
	}
	if f.More = p.behind; p.size > place {
		f.More += p.rest
	}
	if place == 0 {
		f.More = max(0, f.More-f.lines.number) // the header
		return nil
	}
	if _, err := f.file.Seek(place, io.SeekStart); err != nil {
		return err
	}
	f.goOn(newLines(f.file, p.digest, place, p.before))
	return nil
}

// pass is what one pass over a file tells.
type pass struct {
	digest         *xxhash.Digest // of what stands before the place
	size           int64
	before, behind int64 // line ends
	rest           int64 // 1: the last line has none
	last           byte
	torn           bool // the line before the place goes on behind it
}

// holds reports whether what stands before the place is what it was.
func (p *pass) holds(place int64, print string) bool {
	return p.size >= place && !p.torn && hexSum(p.digest) == print
}

const passSize = 1 << 20

// passOver reads a file once, as fast as the disk and a sum allow.
func passOver(r io.Reader, place int64) (pass, error) {
	p := pass{digest: xxhash.New()}
	buffer := make([]byte, passSize)
	p.last = '\n'
	for {
		n, err := r.Read(buffer)
		p.look(buffer[:n], place)
		if err == io.EOF {
			break
		}
		if err != nil {
			return p, err
		}
	}
	if p.last != '\n' {
		p.rest = 1
	}
	return p, nil
}

// look passes over a piece.
func (p *pass) look(piece []byte, place int64) {
	head := piece[:max(0, min(int64(len(piece)), place-p.size))]
	tail := piece[len(head):]
	_, _ = p.digest.Write(head) // never fails
	p.before += int64(bytes.Count(head, newline))
	if len(head) > 0 {
		p.last = head[len(head)-1]
	}
	if len(tail) > 0 {
		if p.size+int64(len(head)) == place {
			p.torn = p.last != '\n' && tail[0] != '\n' && tail[0] != '\r'
		}
		p.behind += int64(bytes.Count(tail, newline))
		p.last = tail[len(tail)-1]
	}
	p.size += int64(len(piece))
}

var newline = []byte{'\n'}
