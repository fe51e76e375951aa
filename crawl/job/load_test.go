package job

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const keyed = "start: https://a.example/\nrequest: {headers: {X-Key: \"${DOGEAR_TEST_KEY}\"}}\nrecords: {fields: {a: b}}\n"

// folder writes files into a new folder and returns it.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestVariablesComeFromTheEnvironmentThenFromDotenv(t *testing.T) {
	dir := folder(t, map[string]string{"keyed.yaml": keyed, ".env": bom + "# keys\r\nDOGEAR_TEST_KEY='from file'\r\n"})
	job, err := Load(filepath.Join(dir, "keyed.yaml"))
	if err != nil || job.Headers[0].Value != "from file" || string(job.Text) != keyed || job.Name != "keyed" {
		t.Fatalf("%+v, %v", job, err)
	}
	t.Setenv("DOGEAR_TEST_KEY", "from environment")
	job, err = Load(filepath.Join(dir, "keyed.yaml"))
	if err != nil || job.Headers[0].Value != "from environment" {
		t.Fatalf("%+v, %v", job, err)
	}
	t.Setenv("DOGEAR_TEST_KEY", "") // set, and empty
	job, err = Load(filepath.Join(dir, "keyed.yaml"))
	if err != nil || job.Headers[0].Value != "" {
		t.Fatalf("%+v, %v", job, err)
	}
}

func TestABrokenDotenvIsReportedWithItsLineAndNotItsText(t *testing.T) {
	dir := folder(t, map[string]string{"keyed.yaml": keyed, ".env": "A=1\nB='two\nlines'\nhunter2 hunter2\nDOGEAR_TEST_KEY=x\n"})
	_, err := Load(filepath.Join(dir, "keyed.yaml"))
	var bad *Error
	if !errors.As(err, &bad) || filepath.Base(bad.Path) != ".env" || bad.Problems[0].Line != 4 || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("%v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "keyed.yaml"), []byte("start: https://a.example/\nrecords: {fields: {a: b}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(filepath.Join(dir, "keyed.yaml")); err != nil {
		t.Errorf("a job without variables does not care: %v", err)
	}
}

func TestAFolderCalledDotenvHoldsNoVariables(t *testing.T) {
	dir := folder(t, map[string]string{"keyed.yaml": keyed})
	if err := os.Mkdir(filepath.Join(dir, ".env"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Load(filepath.Join(dir, "keyed.yaml"))
	if err == nil || !strings.Contains(err.Error(), "keyed.yaml:2:28: DOGEAR_TEST_KEY is not set") {
		t.Errorf("%v", err)
	}
}

func TestAFileThatCannotBeReadSaysWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.yaml")
	_, err := Load(path)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	if bad := (*Error)(nil); !errors.As(err, &bad) || strings.Count(err.Error(), path) != 1 {
		t.Errorf("%v", err)
	}
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("a folder loads")
	}
}

func TestAHugeFileIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.yaml")
	if err := os.WriteFile(path, []byte("start: https://a.example/\nrecords: {fields: {a: b}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip("no sparse files here:", err)
	}
	_, err := Load(path)
	if err == nil || !strings.Contains(err.Error(), "huge.yaml:1:1: too large for a job file (more than 10 MB)") {
		t.Errorf("%v", err)
	}
}

func TestALayoutMayBeWrittenWithOrWithoutQuotes(t *testing.T) {
	s := compiledSchema(t)
	for written, want := range map[string]string{
		"02/01/2006": "02/01/2006", "2006-01-02": "2006-01-02", "20060102": "20060102", `"%d/%m/%Y"`: "%d/%m/%Y",
		"'02/01/2006 15:04'": "02/01/2006 15:04", "02/01/2006 15:04:05": "02/01/2006 15:04:05",
		"2006-01-02T15:04:05Z": "2006-01-02T15:04:05Z",
		"060102":               "060102", "02.01.2006": "02.01.2006", "02.01.06": "02.01.06",
	} {
		text := []byte("start: https://a.example/\nrecords: {fields: {d: {css: b, type: date, layout: " + written + "}}}\n")
		j, err := Parse("a.yaml", text, nil)
		if err != nil {
			t.Errorf("%s: %v", written, err)
			continue
		}
		if err := validate(t, s, text); err != nil {
			t.Errorf("%s: %v", written, err)
		}
		if got := j.Tables()[0].Fields[0].Layout; got != want {
			t.Errorf("%s is %q", written, got)
		}
	}
}

// The YAML library takes some of them, depending on what stands before: then it must be the right text.
func TestAPercentSignWithoutQuotesIsReadOrRefusedWithAHint(t *testing.T) {
	for _, form := range []string{
		"{fields: {d: {css: b, type: date, layout: %d/%m/%Y}}}",
		"{fields: {d: {css: b, layout: %d/%m/%Y, type: date}}}",
		"\n  fields:\n    d: {css: b, type: date, layout: %d/%m/%Y}",
		"\n  fields:\n    d:\n      css: b\n      type: date\n      layout: %d/%m/%Y",
	} {
		j, err := Parse("a.yaml", []byte("start: https://a.example/\nrecords: "+form+"\n"), nil)
		switch {
		case err == nil && j.Tables()[0].Fields[0].Layout != "%d/%m/%Y":
			t.Errorf("%s: %q", form, j.Tables()[0].Fields[0].Layout)
		case err != nil && !strings.Contains(err.Error(), `a value that begins with % needs quotes: "%d`):
			t.Errorf("%s: %v", form, err)
		}
	}
}
