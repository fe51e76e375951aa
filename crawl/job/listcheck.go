package job

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// wanted is a column that a rule asks for.
type wanted struct {
	name string
	spot Problem
}

// CheckLists looks into the files that starts are read from: whether they can be read, and have the columns that the
// job asks for. absent says whether one that is not there is a fault. Errors are *Error.
func (j *Job) CheckLists(absent bool) error {
	all := &Error{Path: j.Path}
	headers, unseen := []string(nil), false
	for i := range j.Starts {
		l := j.Starts[i].list
		switch {
		case l == nil:
			continue
		case l.From == Stdin:
			unseen = true
			continue
		}
		header, err := l.look()
		headers = append(headers, header...)
		var bad *Error
		if missing := errors.Is(err, fs.ErrNotExist); errors.As(err, &bad) && (absent || !missing) {
			all.Problems, all.Err = append(all.Problems, bad.Problems...), errors.Join(all.Err, bad.Err)
		}
		unseen = unseen || err != nil
	}
	for _, c := range j.columns {
		if !unseen && !slices.ContainsFunc(headers, func(h string) bool { return strings.TrimSpace(h) == c.name }) {
			c.spot.Message = fmt.Sprintf("param.%s is neither a {NAME} of a start nor a column of its file (header: %s)",
				shorten(c.name), showHeader(headers))
			all.Problems = append(all.Problems, c.spot)
		}
	}
	if len(all.Problems) == 0 {
		return nil
	}
	sorted := report{problems: all.Problems}
	all.Problems = sorted.sorted()
	return all
}

// look opens the file and reads its header.
func (l *List) look() (header []string, err error) {
	file, err := l.open()
	if err != nil {
		return nil, err
	}
	r, err := l.Read(file)
	return r.columns, errors.Join(l.explained(err), file.Close())
}
