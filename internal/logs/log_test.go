package logs

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)

func open(t *testing.T, o Options) *Log {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = noon
	}
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// say logs one record as of a time.
func say(t *testing.T, h slog.Handler, at time.Time, level slog.Level, text string, attrs ...slog.Attr) {
	t.Helper()
	r := slog.NewRecord(at, level, text, 0)
	r.AddAttrs(attrs...)
	if !h.Enabled(t.Context(), level) {
		return
	}
	if err := h.Handle(t.Context(), r); err != nil {
		t.Error(err)
	}
}

// texts are the messages in a file, in its order; every line has to be JSON.
func texts(t *testing.T, path string) (all []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var r struct{ Msg string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Errorf("%s: %v in %q", path, err, line)
		}
		all = append(all, r.Msg)
	}
	return all
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestADayHasAFileAndItsErrorsAnother(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "here")
	l := open(t, Options{Dir: dir, Job: "products"})
	h := l.Handler()
	say(t, h, noon, slog.LevelDebug, "not asked for")
	say(t, h, noon, slog.LevelInfo, "begun", slog.Int("task", 7), slog.String("url",
		"http://a.example/\x1b[2J?x=1&y=2"))
	say(t, h, noon, slog.LevelError, "lost")
	say(t, h, noon.Add(11*time.Hour+59*time.Minute), slog.LevelWarn, "late")
	say(t, h.WithAttrs([]slog.Attr{slog.String("job", "products")}), noon.Add(12*time.Hour), slog.LevelError,
		"lost tomorrow")
	l.Close()
	for file, want := range map[string][]string{
		"products-2026-11-30.log": {"begun", "lost", "late"}, "products-errors-2026-11-30.log": {"lost"},
		"products-2026-12-01.log": {"lost tomorrow"}, "products-errors-2026-12-01.log": {"lost tomorrow"},
	} {
		path := filepath.Join(dir, file)
		if strings.Contains(file, "11-30") { // compressed meanwhile, or not got to
			if _, err := os.Stat(path); err != nil {
				unpack(t, path+packed, path)
			}
		}
		if got := texts(t, path); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "products-2026-11-30.log"))
	if err != nil || !strings.Contains(string(b),
		`"level":"INFO","msg":"begun","task":7,"url":"http://a.example/\u001b[2J?x=1&y=2"}`) {
		t.Errorf("%v: %s", err, b)
	}
}

func TestALogGoesOnInTheFileOfToday(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		l := open(t, Options{Dir: dir, Job: "products"})
		say(t, l.Handler(), noon, slog.LevelInfo, fmt.Sprint(i))
		l.Close()
	}
	if got := texts(t, filepath.Join(dir, "products-2026-11-30.log")); !slices.Equal(got, []string{"0", "1", "2"}) {
		t.Errorf("%q", got)
	}
}

func TestLinesOfManyWritersStayWholeAndNoneIsLost(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	const each = 3000
	for n := range 2 { // as two processes would
		l := open(t, Options{Dir: dir, Job: "products"})
		var writers sync.WaitGroup
		for w := range 4 {
			writers.Go(func() {
				h := l.Handler()
				for i := range each {
					say(t, h, noon, slog.LevelError, fmt.Sprint(n, w, i), slog.String("fill", strings.Repeat("x",
						i%300)))
				}
			})
		}
		all.Go(func() { writers.Wait(); l.Close() })
	}
	all.Wait()
	for _, file := range []string{"products-2026-11-30.log", "products-errors-2026-11-30.log"} {
		got := texts(t, filepath.Join(dir, file))
		slices.Sort(got)
		if n := len(slices.Compact(got)); n != 8*each {
			t.Errorf("%s: %d lines, want %d", file, n, 8*each)
		}
	}
}

func TestAFolderThatCanNotBeWrittenToIsAnErrorAtOnce(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "products-2026-11-30.log"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Dir: filepath.Join(file, "logs"), Job: "products"}, {Dir: dir, Job: "products"}} {
		o.Now = noon
		if l, err := Open(o); err == nil {
			l.Close()
			t.Errorf("%s can be written to", o.Dir)
		} else if !strings.Contains(err.Error(), dir) {
			t.Errorf("it does not say where: %v", err)
		}
	}
}

func TestTroubleIsToldOnceAndLinesComeAgainWhenItIsOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	var told []error
	l, err := newLog(Options{Dir: dir, Job: "products", Now: noon, Trouble: func(err error) {
		told = append(told,
			err)
	}})
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		l.take(line{"2026-12-01", []byte(`{"msg":"` + text + "\"}\n"), false})
		l.flush()
	}
	tomorrow := filepath.Join(dir, "products-2026-12-01.log")
	for round := range 2 {
		if err := os.Mkdir(tomorrow, 0o700); err != nil {
			t.Fatal(err)
		}
		l.all.close()
		write("lost")
		write("lost too")
		if len(told) != 1+round || !strings.Contains(told[round].Error(), tomorrow) {
			t.Errorf("told: %v", told)
		}
		if err := os.Remove(tomorrow); err != nil {
			t.Fatal(err)
		}
		write("kept")
		if got := texts(t, tomorrow); !slices.Equal(got, []string{"kept"}) {
			t.Errorf("%q", got)
		}
		os.Remove(tomorrow)
	}
	l.Close()
}

func TestALineThatWasCutSpoilsNoOther(t *testing.T) {
	s := series{dir: t.TempDir(), name: "products"}
	for _, text := range []string{"{\"msg\":\"cu", "{\"msg\":\"whole\"}\n"} {
		s.add(line{"2026-11-30", []byte(text), false})
		if err := s.flush(); err != nil {
			t.Fatal(err)
		}
		s.broken = strings.HasSuffix(text, "cu") // as a disk that is full leaves it
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(s.path("2026-11-30")); err != nil || string(b) != "{\"msg\":\"cu\n{\"msg\":\"whole\"}\n" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestTheNameOfAJobIsMadeTheNameOfAFile(t *testing.T) {
	for job, want := range map[string]string{
		"products": "products", "../../etc/passwd": ".._.._etc_passwd", "产品 1": "产品 1", "a\nb\x00c": "a_b_c",
		"a:b*?":    "a_b__",
		"${TOKEN}": "__TOKEN_", strings.Repeat("x", 300): strings.Repeat("x", 101), "\xff": "_",
	} {
		if got := fileName(job); got != want {
			t.Errorf("%q: %q, want %q", job, got, want)
		}
	}
	dir := t.TempDir()
	l := open(t, Options{Dir: dir, Job: strings.Repeat("产", 300)})
	say(t, l.Handler(), noon, slog.LevelError, "x")
	l.Close()
	if names := files(t, dir); len(names) != 2 {
		t.Errorf("%q", names)
	}
}
