package powercut

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// traceLines are what strace 6.1 writes.
var traceLines = []string{
	`8229  open("/tmp/s/shop.db", O_RDWR|O_CREAT|O_LARGEFILE|O_NOFOLLOW|O_CLOEXEC, 0644) = 8</tmp/s/shop.db>`,
	`8229  openat(AT_FDCWD</tmp>, "/tmp/s/shop.db", O_RDWR) = -1 ENOENT (No such file or directory)`,
	`8229  pwrite64(9</tmp/s/shop.db-wal>, "7\177\6\202\0-\342\30 \") = 1, \\\n\x0f", 15, 32) = 15`,
	`8229  pwrite64(9</tmp/s/shop.db-wal>, "ab"..., 5000, 0) = 5000`,
	`8229  fsync(11</tmp/s>)            = 0`,
	`8229  unlink("/tmp/s/shop.db-journal") = 0`,
	`8238  ftruncate(8</tmp/s/shop.db>, 1757184) = 0`,
	`8238  close(9</tmp/s/shop.db>(deleted)) = 0`,
	`7610  --- SIGURG {si_signo=SIGURG, si_code=SI_TKILL, si_pid=7610, si_uid=0} ---`,
	`8227  +++ exited with 3 +++`,
	`8229  fsync(9</tmp/s/shop.db>)  = ?`,
	`8229  mmap(NULL, 32768, PROT_READ|PROT_WRITE, MAP_SHARED, 10</tmp/s/shop.db>, 0) = 0x7f0000000000`,
	`8229  write(5<socket:[1]>, {{"a", 1}, 2<<3}, 4) = 4`,
}

// shown is a call in short: its name, what it is about, its data, its moments.
func shown(c *call) string {
	path, deleted := c.target()
	s := fmt.Sprintf("%s %s", c.name, path)
	for _, a := range c.args {
		if a.data != nil && a.path != path {
			s += fmt.Sprintf(" %q", a.data)
		}
	}
	end := fmt.Sprint(c.end)
	if c.end == never {
		end = "never"
	}
	return fmt.Sprintf("%s%s = %d [%d %s]", s, map[bool]string{true: " deleted"}[deleted], c.result, c.start, end)
}

func TestALineOfATraceIsReadAsStraceMeantIt(t *testing.T) {
	wants := []string{
		`open /tmp/s/shop.db = 8 [0 1]`,
		`openat /tmp/s/shop.db = -1 [0 1]`,
		`pwrite64 /tmp/s/shop.db-wal "7\x7f\x06\x82\x00-\xe2\x18 \") = 1, \\\n\x0f" = 15 [0 1]`,
		`pwrite64 /tmp/s/shop.db-wal "ab" = 5000 [0 1]`,
		`fsync /tmp/s = 0 [0 1]`,
		`unlink /tmp/s/shop.db-journal = 0 [0 1]`,
		`ftruncate /tmp/s/shop.db = 0 [0 1]`,
		`close /tmp/s/shop.db deleted = 0 [0 1]`,
		``,
		``,
		`fsync /tmp/s/shop.db = 0 [0 never]`,
		`mmap /tmp/s/shop.db = 0 [0 1]`,
		`write socket:[1] "a" = 4 [0 1]`,
	}
	for i, line := range traceLines {
		calls, clock, err := parseTrace(strings.NewReader(line+"\n"), 0)
		got := ""
		for _, c := range calls {
			got += shown(c)
		}
		if err != nil || got != wants[i] || clock != 2 {
			t.Errorf("%s\n got %s, clock %d, %v\nwant %s", line, got, clock, err, wants[i])
		}
	}
}

func TestACallThatAnotherThreadInterruptsHasItsOwnStartAndEnd(t *testing.T) {
	const trace = `1 pwrite64(9</s/w>, "abc) = 3"..., 8, 32 <unfinished ...>
2 fsync(9</s/w> <unfinished ...>
3 close(7</s/x>)          = 0
1 <... pwrite64 resumed>) = 8
2 <... fsync resumed>)              = 0
1 pwrite64(9</s/w>, "z", 1, 0 <unfinished ...>
1 +++ killed by SIGKILL +++
`
	calls, clock, err := parseTrace(strings.NewReader(trace), 100)
	var got []string
	for _, c := range calls {
		got = append(got, shown(c))
	}
	want := `pwrite64 /s/w "abc) = 3" = 8 [100 107]; fsync /s/w = 0 [102 109]; ` +
		`close /s/x = 0 [104 105]; pwrite64 /s/w "z" = 0 [110 never]`
	if err != nil || strings.Join(got, "; ") != want || clock != 114 {
		t.Errorf("%v, clock %d\n got %s\nwant %s", err, clock, strings.Join(got, "; "), want)
	}
}

func TestWhatIsNotATraceIsAnError(t *testing.T) {
	for _, line := range []string{
		`1 hello`, `1 fsync(9</s/w>`, `1 fsync(9</s/w>)`, `1 pwrite64(9, "abc`, `1 pwrite64(9, "\q", 1, 0) = 1`,
		`1 fsync(9</s/w>) = x`,
		`1 <... fsync resumed>) = 0`, `1 <... fsync`, `1 "a"(1) = 0`, `1 f("\400") = 0`, `1 f("\xz1") = 0`,
	} {
		if calls, _, err := parseTrace(strings.NewReader(line), 0); err == nil {
			t.Errorf("%s: %d calls", line, len(calls))
		}
	}
}

func TestAHistoryRefusesWhatItCannotModel(t *testing.T) {
	for _, line := range []string{
		`1 write(9</s/db>, "a", 1) = 1`,
		`1 pwritev(9</s/db>, [{iov_base="a", iov_len=1}], 1, 0) = 1`,
		`1 fallocate(9</s/db>, 0, 0, 4096) = 0`,
		`1 mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 9</s/db>, 0) = 0x7f00`,
		`1 rename("/s/db", "/s/db2") = 0`,
		`1 openat(AT_FDCWD</>, "/s/db", O_RDWR|O_CREAT|O_TRUNC, 0644) = 9</s/db>`,
		`1 pwrite64(9</s/db>(deleted), "a", 1, 0) = 1`,
		`1 pwrite64(9</s/db>, "a", 1, 0) = -1 ENOSPC (No space left on device)`,
		`1 fsync(9</s/db>) = -1 EIO (Input/output error)`,
	} {
		if err := newHistory("/s", "db").add(strings.NewReader(line)); !errors.Is(err, errUnmodelled) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if err := newHistory("/s", "db").add(strings.NewReader(`1 pwrite64(9</s/db>, "ab"..., 5000, 0) = 5000`)); err == nil {
		t.Error("data that strace cut short is taken")
	}
}

func TestAHistoryKeepsWhatConcernsItsFiles(t *testing.T) {
	const trace = `1 openat(AT_FDCWD</>, "/s/db", O_RDWR|O_CREAT, 0644) = 9</s/db>
1 openat(AT_FDCWD</>, "/s/db", O_RDWR|O_CREAT, 0644) = 10</s/db>
1 open("/s/other", O_RDWR|O_CREAT, 0644) = 11</s/other>
1 pwrite64(9</s/db>, "abcd", 4, 8) = 2
1 write(1<pipe:[7]>, "x", 1) = 1
1 fdatasync(9</s/db>) = 0
1 fsync(12</s>) = 0
1 ftruncate(9</s/db>, 3) = 0
1 unlink("/s/db-wal") = -1 ENOENT (No such file or directory)
1 unlinkat(AT_FDCWD</>, "/s/db", 0) = 0
`
	h := newHistory("/s", "db", "db-wal")
	if err := h.add(strings.NewReader(trace)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"make db at 0, 0 bytes, size 0 [0, 1]", "write db at 8, 2 bytes, size 0 [6, 7]",
		"sync db at 0, 0 bytes, size 0 [10, 11]", "sync folder s at 0, 0 bytes, size 0 [12, 13]",
		"truncate db at 0, 0 bytes, size 3 [14, 15]", "remove db at 0, 0 bytes, size 0 [18, 19]",
	}
	if got := fmt.Sprint(h.ops); got != fmt.Sprint(want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// FuzzATraceIsReadOrRefused: whatever the bytes, there is an answer and no panic, and nothing ends before it starts.
func FuzzATraceIsReadOrRefused(f *testing.F) {
	for _, line := range traceLines {
		f.Add(line)
	}
	f.Add(strings.Join(traceLines, "\n"))
	f.Add("1 fsync(9</s/db> <unfinished ...>\n2 fsync(9</tmp/s/shop.db>) = 0\n1 <... fsync resumed>) = 0\n")
	f.Fuzz(func(t *testing.T, trace string) {
		calls, _, err := parseTrace(strings.NewReader(trace), 0)
		if err != nil {
			return
		}
		for _, c := range calls {
			if c.name == "" || c.end <= c.start {
				t.Errorf("call %q from %d to %d", c.name, c.start, c.end)
			}
		}
		h := newHistory("/tmp/s", "shop.db", "shop.db-wal")
		_ = h.add(strings.NewReader(trace)) // an error is an answer, a panic none
	})
}
