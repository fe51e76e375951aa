package state

import (
	"database/sql/driver"
	"fmt"
	"regexp"
	"sync"

	"modernc.org/sqlite"
)

// SQLite has the operator (url REGEXP pattern) and leaves its meaning to the program: here it is Go's syntax,
// https://pkg.go.dev/regexp/syntax, as everywhere in a job file.
func init() { sqlite.MustRegisterDeterministicScalarFunction("regexp", 2, matches) }

// compiled keeps the patterns of filters: a program sees a handful in its life.
var compiled sync.Map // string -> *regexp.Regexp

func matches(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	pattern, ok := args[0].(string)
	text, isText := args[1].(string)
	if !ok || !isText {
		return false, nil // null matches nothing
	}
	re, known := compiled.Load(pattern)
	if !known {
		r, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("regexp %q: %w", pattern, err)
		}
		re, _ = compiled.LoadOrStore(pattern, r)
	}
	return re.(*regexp.Regexp).MatchString(text), nil
}
