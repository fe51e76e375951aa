package job

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/joho/godotenv"
)

// maxDotenv is far more than anybody writes by hand; a larger file called .env is something else.
const maxDotenv = 1 << 20

// environment looks names up in the process's environment and then in the .env beside the job file, which is read
// only when something is missing: a job without ${NAME} does not care what .env holds.
func environment(jobPath string) (lookup func(string) (string, bool), dotenv func() *Error) {
	path := filepath.Join(filepath.Dir(jobPath), ".env")
	var failed *Error
	values := sync.OnceValue(func() map[string]string {
		found, err := readDotenv(path)
		failed = err
		return found
	})
	lookup = func(name string) (string, bool) {
		if value, ok := os.LookupEnv(name); ok {
			return value, true
		}
		value, ok := values()[name]
		return value, ok
	}
	return lookup, func() *Error { return failed }
}

// Getenv looks a variable up where ${NAME} of the job file comes from: the environment, then the .env beside the
// file. It is "" when it is not set. The error is an *Error about a .env that can't be read.
func (j *Job) Getenv(name string) (string, error) {
	value, _ := j.env(name)
	if j.dotenv != nil {
		if bad := j.dotenv(); bad != nil {
			return "", bad
		}
	}
	return value, nil
}

// readDotenv reads a file of NAME=value lines. No file, or a folder of that name (Python keeps environments in one),
// is no value. The library's errors quote the text that they stumble over, which may be a password: only the line is told.
func readDotenv(path string) (map[string]string, *Error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return nil, nil
	}
	if err == nil && info.Size() > maxDotenv {
		return nil, &Error{Path: path, Problems: []Problem{{Message: "too large for a file of NAME=value lines (more than 1 MiB)"}}}
	}
	text, readErr := os.ReadFile(path)
	if err := errors.Join(err, readErr); err != nil {
		return nil, &Error{Path: path, Problems: []Problem{{Message: "read .env: " + reason(err)}}, Err: err}
	}
	text = bytes.TrimPrefix(text, []byte(bom))
	values, err := godotenv.UnmarshalBytes(text)
	if err != nil {
		p := Problem{Line: badDotenvLine(string(text)), Col: 1, Message: "not a NAME=value line; write NAME='value' when the value has spaces, quotes or # (the line is not shown: it may be secret)"}
		return nil, &Error{Path: path, Problems: []Problem{p}}
	}
	return values, nil
}

// badDotenvLine returns the first line after the longest beginning of the file that can be read (a quoted value may
// span lines, so a beginning that can't be read does not end the search).
func badDotenvLine(text string) int {
	lines := strings.SplitAfter(text, "\n")
	good := 0
	for n := 1; n < min(len(lines), 1000); n++ {
		if _, err := godotenv.Unmarshal(strings.Join(lines[:n], "")); err == nil {
			good = n
		}
	}
	return good + 1
}

// reason is the part of a file error that does not repeat the path.
func reason(err error) string {
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}
