package extract

import "fmt"

// Kind is what is wrong with a page; the names are those of tasks.error_kind.
type Kind string

// The kinds of failure that a page can be.
const (
	Parse   Kind = "parse"   // it cannot be read as what the rules need
	Blocked Kind = "blocked" // it can, but is not what was expected
	Invalid Kind = "invalid" // it is, but not one of its records is valid
)

// Failure is why a page gave nothing. It is the only error that Rules.Extract returns.
type Failure struct {
	Kind Kind
	Err  error
}

func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Bug is the error of a page on which dogear panicked with v.
func Bug(v any) error {
	return fmt.Errorf("a bug in dogear: it panicked on this page (%v); please report it with the page's URL", v)
}

func blocked(format string, args ...any) error {
	return &Failure{Kind: Blocked, Err: fmt.Errorf(format, args...)}
}

func parseFailure(err error) error { return &Failure{Kind: Parse, Err: err} }

// formatError says that a page is another sort of document than a rule can read.
type formatError struct {
	is, contentType, want, rule string
}

func (e *formatError) Error() string {
	is := e.is
	if e.contentType != "" {
		is = fmt.Sprintf("%s (%s)", e.is, e.contentType)
	}
	return fmt.Sprintf("the page is %s, but the rule %q needs %s", is, e.rule, e.want)
}

// syntaxError says where a JSON document ends being one.
type syntaxError struct {
	offset int // bytes from the start of the body
	what   string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("json: byte %d: %s", e.offset, e.what)
}
