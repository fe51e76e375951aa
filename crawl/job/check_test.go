package job

import (
	"errors"
	"strings"
	"testing"
)

// checkProblems holds what every error of this package promises: problems in file order, each inside the file, no secret.
func checkProblems(t *testing.T, err error, text []byte) {
	t.Helper()
	var bad *Error
	if !errors.As(err, &bad) || len(bad.Problems) == 0 {
		t.Fatalf("not an *Error with problems: %v", err)
	}
	lines := strings.Split(plainText(text), "\n")
	last := Problem{Line: 1, Col: 1}
	for _, p := range bad.Problems {
		if p.Line < 1 || p.Line > len(lines) || p.Col < 1 || p.Col > len([]rune(lines[p.Line-1]))+1 {
			t.Errorf("position outside the file: %+v", p)
		}
		if p.Line < last.Line || p.Line == last.Line && p.Col < last.Col {
			t.Errorf("%+v stands after %+v", p, last)
		}
		last = p
		for name, value := range secrets {
			if strings.Contains(p.Message, value) && !strings.Contains(string(text), value) {
				t.Errorf("the value of %s is in the message %q", name, p.Message)
			}
		}
		if strings.Contains(p.Message, "%!") && !strings.Contains(string(text), "%!") {
			t.Errorf("garbled message %q", p.Message)
		}
	}
}

// load parses a job that must be right.
func load(t *testing.T, text string) *Job {
	t.Helper()
	job, err := Parse("test.yaml", []byte(text), secretEnv)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return job
}

// problems parses a job that must be wrong and returns what is printed.
func problems(t *testing.T, text string) string {
	t.Helper()
	_, err := Parse("test.yaml", []byte(text), secretEnv)
	if err == nil {
		t.Fatalf("it loads:\n%s", text)
	}
	checkProblems(t, err, []byte(text))
	return err.Error()
}
