package export_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"dogear/export"
	"dogear/internal/testenv"
	"dogear/state"
)

// mirrored is a run with a mirror in a real Redis.
type mirrored struct {
	*crawled
	client *redis.Client
	to     *export.RedisTarget
	cursor *state.Mirror
	mirror *export.RedisMirror
	syncs  int
}

func mirror(t testing.TB, n int64) *mirrored {
	t.Helper()
	r := testenv.Redis(t)
	to, err := export.ParseRedisURL(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	m := &mirrored{client: r.Client(t), to: to, cursor: &state.Mirror{Target: to.String()}}
	m.crawled = crawl(t, n, m.cursor)
	m.connect()
	return m
}

// connect makes a mirror of the file as a new process would.
func (m *mirrored) connect() {
	m.Helper()
	var err error
	if m.mirror, err = export.NewRedisMirror(m.Context(), numbered(1), m.store, m.to); err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() { m.mirror.Close() })
}

// sync brings the mirror up to date and compares it with the file.
func (m *mirrored) sync() {
	m.Helper()
	for more := true; more; m.syncs++ {
		at, again, err := m.mirror.Sync(m.Context())
		if err != nil {
			m.Fatal(err)
		}
		if more = again; at >= 0 {
			m.cursor.Reached(at)
		}
	}
	m.same()
}

func (m *mirrored) same() {
	m.Helper()
	ctx := m.Context()
	var done, failed, ids, stuck []string
	add := func(urls, numbers *[]string) func(string) error {
		return func(url string) error {
			v, _ := numbered(1).Value(url)
			*urls, *numbers = append(*urls, url), append(*numbers, strconv.FormatInt(v, 10))
			return nil
		}
	}
	if err := m.store.EachDone(ctx, add(&done, &ids)); err != nil {
		m.Fatal(err)
	}
	fails := add(&failed, &stuck)
	if err := m.store.EachFailed(ctx, state.Filter{}, func(t state.FailedTask) error { return fails(t.URL) }); err != nil {
		m.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		want, got []string
	}{
		{"finished_urls", done, m.client.SMembers(ctx, "crawl:break:job:finished_urls").Val()},
		{"fail_urls", failed, m.client.LRange(ctx, "crawl:break:job:fail_urls", 0, -1).Val()},
		{"completed_ids", ids, m.client.SMembers(ctx, "crawler:job:completed_ids").Val()},
		{"failed_ids", stuck, m.client.SMembers(ctx, "crawler:job:failed_ids").Val()},
	} {
		slices.Sort(c.want)
		if slices.Sort(c.got); !slices.Equal(c.want, c.got) {
			m.Errorf("%s: %d in Redis, %d in the file", c.name, len(c.got), len(c.want))
		}
	}
	if got := m.client.HGet(ctx, "crawler:job:stats", "completed").Val(); got != strconv.Itoa(len(done)) {
		m.Errorf("stats say %s completed, the file %d", got, len(done))
	}
}

func TestAMirrorIsBuiltOnceAndThenFollows(t *testing.T) {
	m := mirror(t, 12_000)
	m.finish(3000)
	m.sync()
	for range 3 {
		m.finish(3000)
		m.sync()
	}
	// Two for the first: the build, and what came after it. 3000 changes are two batches.
	if m.syncs != 2+3*2 {
		t.Errorf("%d round trips", m.syncs)
	}
}

func TestAMirrorGoesOnWhereItWasWhateverItsCursorInTheFileIs(t *testing.T) {
	m := mirror(t, 1000)
	m.sync() // the cursor 0 comes into the file with the next commit
	m.finish(500)
	for range 3 {
		m.connect()
		m.sync()
		m.cursor.Reached(0) // as if the process had ended before the commit that writes it
	}
	if n := m.client.LLen(context.Background(), "crawl:break:job:fail_urls").Val(); n != 100 {
		t.Errorf("%d fail URLs, of 100", n)
	}
	if m.syncs != 2+3 {
		t.Errorf("%d round trips: it was built again", m.syncs)
	}
}

func TestAMirrorThatLostItsPastIsBuiltAgain(t *testing.T) {
	for name, lose := range map[string]func(m *mirrored){
		"all data lost":             func(m *mirrored) { m.client.FlushDB(m.Context()) },
		"written by an export":      func(m *mirrored) { export1Redis(m) },
		"a mark of another file":    func(m *mirrored) { m.client.Set(m.Context(), "crawl:break:job:mirror", "1:500", 0) },
		"a mark from the future":    func(m *mirrored) { m.mark("999999") },
		"a mark older than is kept": func(m *mirrored) { m.mark("1") },
		"no mark at all":            func(m *mirrored) { m.client.Set(m.Context(), "crawl:break:job:mirror", "x", 0) },
	} {
		t.Run(name, func(t *testing.T) {
			m := mirror(t, 1000)
			m.finish(500)
			m.sync()
			m.finish(100)
			lose(m)
			m.client.SAdd(m.Context(), "crawl:break:job:finished_urls", "http://127.0.0.1/not-ours")
			m.sync()
		})
	}
}

func (m *mirrored) mark(seq string) {
	made, err := m.store.Job(m.Context())
	if err != nil {
		m.Fatal(err)
	}
	m.client.Set(m.Context(), "crawl:break:job:mirror", strconv.FormatInt(made.CreatedAt.UnixMilli(), 10)+":"+seq, 0)
}

func export1Redis(m *mirrored) {
	if _, err := numbered(1).Redis(m.Context(), m.store, m.to, 0); err != nil {
		m.Fatal(err)
	}
}

// By hand, with sqlite3: no run put them back, so no cursor was dropped.
func TestATaskThatFailedAndIsDoneNowMoves(t *testing.T) {
	m := mirror(t, 100)
	m.finish(100)
	m.sync()
	if _, err := m.run.Commit(t.Context(), noon, nil, 0); err != nil { // it writes the cursor
		t.Fatal(err)
	}
	if err := m.run.Close(t.Context(), noon, state.Interrupted); err != nil {
		t.Fatal(err)
	}
	db := openSQLite(t, m.path)
	for _, q := range []string{`UPDATE tasks SET state = 'pending', attempts = 0 WHERE id <= 50`,
		`UPDATE counters SET pending = 50, done = 40, failed = 10`} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	m.cursor = &state.Mirror{Target: m.to.String()}
	m.open(100, m.cursor)
	m.connect()
	before := m.syncs
	m.finish(50)
	m.sync()
	if m.syncs != before+1 {
		t.Error("it was built again")
	}
}

func TestTwoBuildsAtOnceLeaveOneWholeCheckpoint(t *testing.T) {
	m := mirror(t, 30_000)
	m.finish(30_000)
	errs := make(chan error, 4)
	for range cap(errs) {
		go func() {
			_, err := numbered(1).Redis(m.Context(), m.store, m.to, 0)
			errs <- err
		}()
	}
	through := 0
	for range cap(errs) {
		if err := <-errs; err == nil {
			through++
		}
	}
	if through == 0 {
		t.Error("none got through")
	}
	m.same()
	keys := m.client.Keys(m.Context(), "*").Val()
	if len(keys) != 6 {
		t.Errorf("keys: %v", keys)
	}
}

func TestNeitherTextNorErrorOfATargetHasThePassword(t *testing.T) {
	to, err := export.ParseRedisURL("rediss://user:s3cr3t@[::1]:1/7")
	if err != nil || to.String() != "rediss://[::1]:1/7" {
		t.Errorf("%v, %v", to, err)
	}
	to, err = export.RedisAt("", "", "", "s3cr3t")
	if err != nil || to.String() != "redis://127.0.0.1:6379/0" {
		t.Errorf("%v, %v", to, err)
	}
	for _, parts := range [][2]string{{"x", ""}, {"0", ""}, {"70000", ""}, {"", "x"}, {"", "-1"}} {
		if _, err := export.RedisAt("", parts[0], parts[1], ""); err == nil {
			t.Errorf("port and database %q are taken", parts)
		}
	}
}

// BenchmarkCatchUp is a mirror that was away: per task, from the state file into Redis.
func BenchmarkCatchUp(b *testing.B) {
	m := mirror(b, int64(b.N))
	m.sync()
	m.finish(b.N)
	b.ResetTimer()
	for more := true; more; {
		var err error
		if _, more, err = m.mirror.Sync(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuild is a checkpoint in Redis made from the beginning, per task.
func BenchmarkBuild(b *testing.B) {
	m := mirror(b, int64(b.N))
	m.finish(b.N)
	b.ResetTimer()
	if _, err := numbered(1).Redis(b.Context(), m.store, m.to, 0); err != nil {
		b.Fatal(err)
	}
}
