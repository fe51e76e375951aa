package state_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

func TestANewFileIsMarkedAsOursAndKeepsTheJob(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(3)))
	if !run.Found.New || run.Found.Recovered != 0 {
		t.Errorf("found %+v, want a new file", run.Found)
	}
	if got := run.Counts(); got != (state.Counts{Ahead: 3}) {
		t.Errorf("counts are %+v, want three values ahead", got)
	}
	f.want(`SELECT application_id FROM pragma_application_id`, fmt.Sprint(schema.ApplicationID))
	f.want(`SELECT user_version FROM pragma_user_version`, fmt.Sprint(len(schema.Migrations())))
	f.want(`SELECT journal_mode FROM pragma_journal_mode`, "wal")
	f.want(`SELECT id, name, text, hash, created_at FROM job`,
		fmt.Sprintf("1|job|name: job|%x|%d", sha256.Sum256([]byte("name: job")), epoch.UnixMilli()))
	f.want(`SELECT pid, version, started_at, heartbeat_at, ended FROM runs`,
		fmt.Sprintf("%d|test|%d|%[2]d|NULL", os.Getpid(), epoch.UnixMilli()))
	f.close(run, state.Interrupted)
}

func TestAFileOpenedAgainGoesOnWhereItWas(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(10)))
	tasks := f.commit(run, 4)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404))
	f.close(run, state.Interrupted)

	o := f.with(productStart(10))
	o.Name, o.Text = "renamed", []byte("name: renamed # and changed")
	run = f.open(o)
	want := state.Counts{Pending: 8, Done: 1, Failed: 1}
	if run.Found.New || run.Found.Counts != want || run.Counts() != want {
		t.Errorf("found %+v, counts %+v, want %+v in a known file", run.Found, run.Counts(), want)
	}
	if run.Tally() != (state.Tally{}) {
		t.Errorf("a new run has done %+v already", run.Tally())
	}
	f.want(`SELECT name, text, hash, created_at FROM job`,
		fmt.Sprintf("renamed|%s|%x|%d", o.Text, sha256.Sum256(o.Text), epoch.UnixMilli()))
	info, err := f.store().Job(f.ctx)
	if err != nil || info != (state.JobInfo{Name: "renamed", Text: string(o.Text), CreatedAt: epoch}) {
		t.Errorf("job is %+v, %v", info, err)
	}
	f.agree(run)
}

func TestAPathIsTakenLiterallyWhateverIsInIt(t *testing.T) {
	for _, name := range []string{
		"with space.db", "what?.db", "what?mode=memory.db", "100%.db", "%41.db", "a#b.db", "a&_pragma=query_only(1).db", "a+b.db",
		"quote'd.db", `double".db`, "semi;colon.db", `back\slash.db`, "产品数据.db", "é.db", "no extension", ":memory:", "file:x.db",
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.ContainsAny(name, `?"\:`) {
				t.Skip("no such name on Windows")
			}
			f := newFile(t)
			f.path = filepath.Join(filepath.Dir(f.path), name)
			run := f.open(f.with(productStart(1)))
			f.close(run, state.Interrupted)
			if s := f.store(); s.Running() {
				t.Error("nothing runs on it")
			}
			if run = f.open(f.with(productStart(1))); run.Found.New {
				t.Error("opened again it is a new file")
			}
			f.close(run, state.Interrupted)
			if got, want := folder(t, filepath.Dir(f.path)), []string{name, name + ".lock"}; !slices.Equal(without(got, "-wal", "-shm"), want) {
				t.Errorf("the folder has %q, want %q", got, want)
			}
		})
	}
}

func TestARelativePathIsMeantFromTheCurrentFolder(t *testing.T) {
	f := newFile(t)
	t.Chdir(filepath.Dir(f.path))
	o := f.with()
	o.Path = "job.db"
	f.close(f.open(o), state.Finished)
	if _, err := os.Stat(f.path); err != nil {
		t.Error(err)
	}
}

// notOurs are files that no run may touch.
var notOurs = []struct {
	name    string
	content func(t *testing.T, path string)
	is      func(error) bool
}{
	{"a SQLite file of another program, without an application_id", raw(`CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('x')`), isForeign},
	{"a SQLite file of another program, with its application_id", raw(`PRAGMA application_id = 7; CREATE TABLE t (a)`), isForeign},
	{"a SQLite file of another program, still without tables", raw(`PRAGMA user_version = 1; PRAGMA application_id = 7`), isForeign},
	{"a SQLite file of another program, with only a user_version", raw(`PRAGMA user_version = 3`), isForeign},
	{"a SQLite file of another program, in WAL mode", raw(`PRAGMA journal_mode = WAL; CREATE TABLE t (a)`), isForeign},
	{"a text file", text("name: products\nstart: https://shop.example\n"), isForeign},
	{"a long file of another kind", text(strings.Repeat("not a database\n", 5000)), isForeign},
	{"a file of a newer dogear", raw(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = 99; CREATE TABLE t (a)`, schema.ApplicationID)), isNewer},
}

func TestAFileThatIsNotOursIsRefusedAndLeftAsItWas(t *testing.T) {
	for _, c := range notOurs {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			c.content(t, f.path)
			before := contents(t, f.path)
			if s, err := state.Open(f.ctx, f.path); !c.is(err) || s != nil {
				t.Errorf("Open: %v, %v", s, err)
			}
			if run, err := state.OpenRun(f.ctx, f.with(productStart(1)), epoch); !c.is(err) || run != nil {
				t.Errorf("OpenRun: %v, %v", run, err)
			}
			if contents(t, f.path) != before {
				t.Error("the file was changed")
			}
			if got := without(folder(t, filepath.Dir(f.path)), ".lock"); !slices.Equal(got, []string{"job.db"}) {
				t.Errorf("left in the folder: %q", got)
			}
			if err := state.Remove(f.ctx, f.path); isForeign(err) != c.is(state.ErrForeign) {
				t.Errorf("Remove: %v", err)
			}
		})
	}
}

func TestANewerErrorSaysWhichVersionIsNeeded(t *testing.T) {
	f := newFile(t)
	raw(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = 99; CREATE TABLE t (a)`, schema.ApplicationID))(t, f.path)
	_, err := state.Open(f.ctx, f.path)
	var newer *state.NewerError
	if !errors.As(err, &newer) || newer.Path != f.path || newer.Have != 99 || newer.Know != len(schema.Migrations()) {
		t.Errorf("error is %#v", err)
	}
}

func TestWhereThereIsNoStateYet(t *testing.T) {
	for _, c := range []struct {
		name    string
		content func(t *testing.T, path string)
	}{
		{"a missing file", func(*testing.T, string) {}},
		{"an empty file", text("")},
		{"a SQLite file with nothing in it", raw(`VACUUM`)},
	} {
		t.Run(c.name+" has none for a reader, and a run makes it", func(t *testing.T) {
			f := newFile(t)
			c.content(t, f.path)
			if s, err := state.Open(f.ctx, f.path); !errors.Is(err, state.ErrNone) || s != nil {
				t.Errorf("Open: %v, %v", s, err)
			}
			run := f.open(f.with(productStart(1)))
			if !run.Found.New {
				t.Error("it is not new")
			}
			f.agree(run)
		})
	}
}

func TestAReaderMakesNoFile(t *testing.T) {
	f := newFile(t)
	if _, err := state.Open(f.ctx, f.path); !errors.Is(err, state.ErrNone) {
		t.Errorf("Open: %v", err)
	}
	if got := folder(t, filepath.Dir(f.path)); len(got) != 0 {
		t.Errorf("left in the folder: %q", got)
	}
}

func TestAFolderThatDoesNotExistIsAnErrorThatSaysSo(t *testing.T) {
	f := newFile(t)
	f.path = filepath.Join(filepath.Dir(f.path), "nowhere", "job.db")
	if _, err := state.OpenRun(f.ctx, f.with(), epoch); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenRun: %v", err)
	}
	if _, err := state.Open(f.ctx, f.path); !errors.Is(err, state.ErrNone) {
		t.Errorf("Open: %v", err)
	}
}

func TestACancelledContextOpensNothingAndHoldsNothing(t *testing.T) {
	f := newFile(t)
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	if run, err := state.OpenRun(ctx, f.with(productStart(1)), epoch); !errors.Is(err, context.Canceled) || run != nil {
		t.Errorf("OpenRun: %v, %v", run, err)
	}
	f.agree(f.open(f.with(productStart(1))))
}

func isForeign(err error) bool { return errors.Is(err, state.ErrForeign) }

func isNewer(err error) bool {
	var newer *state.NewerError
	return errors.As(err, &newer)
}
