package cli_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

func TestRedisGetsTheCheckpointAndNothingThatAnEarlierOneLeft(t *testing.T) {
	r := testenv.Redis(t)
	c := r.Client(t)
	for _, order := range []string{"", "shuffle"} {
		p := site(t, practice.Options{Products: 300,
			Faults: []practice.Fault{{Path: "/v1/product/*", Script: "404*2", Every: 10}}})
		job := productsJob(t, p, 300, order)
		export := func() { t.Helper(); dogearRun(t, 0, "export", "redis", job, "--url", r.URL) }
		dogearRun(t, 3, "run", job, "--limit", "120", "--quiet")
		export()
		checkpointInRedis(t, c, "products", job)
		dogearRun(t, 3, "run", job, "--quiet")
		export()
		checkpointInRedis(t, c, "products", job)
		dogearRun(t, 0, "retry", job, "--no-run")
		export()
		checkpointInRedis(t, c, "products", job)
		dogearRun(t, 0, "refresh", job, "--older-than", "0s", "--match", "7$", "--no-run")
		export()
		checkpointInRedis(t, c, "products", job)
		dogearRun(t, 3, "run", job, "--quiet")
		dogearRun(t, 0, "retry", job, "--quiet")
		export()
		checkpointInRedis(t, c, "products", job)
		if got := must(c.Get(context.Background(), "crawl:break:products:current_page").Result()); got != "301" {
			t.Errorf("all done, current_page is %s", got)
		}
	}
}

func TestTheKeysOfACheckpointExpireTogether(t *testing.T) {
	r := testenv.Redis(t)
	c := r.Client(t)
	p := site(t, practice.Options{Products: 20, Faults: []practice.Fault{{Path: "/v1/product/7", Script: "404*"}}})
	job := productsJob(t, p, 20, "")
	dogearRun(t, 3, "run", job, "--quiet")
	ttls := func() map[string]bool {
		found := map[string]bool{}
		for _, key := range must(c.Keys(context.Background(), "*").Result()) {
			found[key] = must(c.TTL(context.Background(), key).Result()) > time.Hour
		}
		return found
	}
	for ttl, want := range map[string]bool{"1d": true, "": false} {
		args := []string{"export", "redis", job, "--url", r.URL}
		if ttl != "" {
			args = append(args, "--ttl", ttl)
		}
		dogearRun(t, 0, args...)
		if got := ttls(); len(got) != 6 {
			t.Errorf("keys: %v", got)
		} else {
			for key, expires := range got {
				if expires != want {
					t.Errorf("--ttl %q: %s expires: %v", ttl, key, expires)
				}
			}
		}
	}
}

func TestAJobWithoutARangeHasNoPageAndNoNumbers(t *testing.T) {
	r := testenv.Redis(t)
	c := r.Client(t)
	p := site(t, practice.Options{Products: 5})
	text := "start: %s/v1/product/{1,2}\nrate: none\nrecords: {fields: {name: $.name}}\n"
	job := writeJob(t, "two.yaml", fmt.Sprintf(text, p.URL))
	dogearRun(t, 0, "run", job, "--quiet", "--mirror", r.URL)
	want := []string{"crawl:break:two:finished_urls", "crawl:break:two:mirror"}
	got := must(c.Keys(context.Background(), "*").Result())
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("keys %v", got)
	}
	dogearRun(t, 0, "export", "redis", job, "--url", r.URL)
	if got := must(c.Keys(context.Background(), "*").Result()); !slices.Equal(got, want[:1]) {
		t.Errorf("keys %v", got)
	}
}

// manyDone adds so many done tasks to a state file by hand, and returns how many it has then.
func manyDone(t *testing.T, jobPath string, n int) int {
	t.Helper()
	db := openState(t, stateOf(jobPath))
	defer db.Close()
	_, err := db.Exec(`INSERT INTO tasks (url, page, state, created_at, finished_at)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		SELECT 'http://127.0.0.1:1/other/' || i, 'page', 'done', 1, 1 FROM n`, n)
	if err == nil {
		_, err = db.Exec(`UPDATE counters SET done = done + ?`, n)
	}
	if err != nil {
		t.Fatal(err)
	}
	var all int
	if err := db.QueryRow(`SELECT done FROM counters`).Scan(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAnExportThatIsKilledLeavesTheOldCheckpointAndTheNextOneNoTrace(t *testing.T) {
	r := testenv.Redis(t)
	c := r.Client(t)
	ctx := context.Background()
	p := site(t, practice.Options{Products: 20})
	job := productsJob(t, p, 20, "")
	dogearRun(t, 0, "run", job, "--quiet")
	dogearRun(t, 0, "export", "redis", job, "--url", r.URL)
	all := manyDone(t, job, 300_000)
	kills := 0
	for i := range 3 {
		e := start(t, "export", "redis", job, "--url", r.URL)
		half := func() bool {
			for _, key := range must(c.Keys(ctx, "crawl:break:products:finished_urls:*").Result()) {
				if c.SCard(ctx, key).Val() > int64(20_000*i) {
					return true
				}
			}
			return false
		}
		waitFor(t, e, half)
		e.Process.Kill()
		if e.exit() == -1 {
			kills++
		}
		if n := c.SCard(ctx, "crawl:break:products:finished_urls").Val(); n != 20 && n != int64(all) {
			t.Errorf("a reader sees %d of %d", n, all)
		}
	}
	if kills == 0 {
		t.Fatal("no kill hit an export")
	}
	dogearRun(t, 0, "export", "redis", job, "--url", r.URL)
	if n := c.SCard(ctx, "crawl:break:products:finished_urls").Val(); n != int64(all) {
		t.Errorf("%d finished URLs of %d", n, all)
	}
	if keys := must(c.Keys(ctx, "*").Result()); len(keys) != 4 {
		t.Errorf("keys: %v", keys)
	}
}

// waitFor returns when something is so, or the process has ended.
func waitFor(t *testing.T, c *crawler, so func() bool) {
	t.Helper()
	over := make(chan struct{})
	go func() { c.wait(); close(over) }()
	for !so() {
		select {
		case <-over:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}

func TestWhereRedisIsComesFromTheEnvironmentOrTheDotenvBesideTheJob(t *testing.T) {
	r := testenv.Redis(t)
	c := r.Client(t)
	o := must(redis.ParseURL(r.URL))
	host, port, _ := strings.Cut(o.Addr, ":")
	p := site(t, practice.Options{Products: 5})
	job := productsJob(t, p, 5, "")
	dogearRun(t, 0, "run", job, "--quiet")
	dotenv := fmt.Sprintf("REDIS_HOST=%s\nREDIS_PORT=%s\nREDIS_DB=%d\nREDIS_PASSWORD='wrong'\n", host, port, o.DB)
	if err := os.WriteFile(filepath.Join(filepath.Dir(job), ".env"), []byte(dotenv), 0o600); err != nil {
		t.Fatal(err)
	}
	said := dogearRun(t, 1, "export", "redis", job).said()
	if !strings.Contains(said, "REDIS_PASSWORD") || strings.Contains(said, "wrong") {
		t.Errorf("with a wrong password it said %s", said)
	}
	e := command(t, "export", "redis", job)
	e.Env = append(e.Env, "REDIS_PASSWORD="+o.Password)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	if e.exit() != 0 {
		t.Fatalf("it said %s", e.said())
	}
	checkpointInRedis(t, c, "products", job)
}

func TestARedisThatIsNotThereOrNotMeantIsAClearError(t *testing.T) {
	p := site(t, practice.Options{Products: 5})
	job := productsJob(t, p, 5, "")
	dogearRun(t, 0, "run", job, "--quiet")
	const secret = "s3cr3t%2Fpw"
	for _, c := range []struct {
		url  string
		code int
		says string
	}{
		{"redis://:" + secret + "@127.0.0.1:1/0", 1, "redis://127.0.0.1:1/0 can't be reached: "},
		{"redis://:" + secret + "%zz@127.0.0.1:1/0", 2, "not a URL such as"},
		{"redis://:" + secret + "/x@127.0.0.1:1/0", 2, "not a URL such as"},
		{"redis://user:6379#" + secret + "@127.0.0.1", 2, "not a URL such as"},
		{"http://:" + secret + "@127.0.0.1:1/0", 2, "not a URL such as"},
		{"redis://:" + secret + "@127.0.0.1:1/zero", 2, "not a URL such as"},
		{"redis://:" + secret + "@127.0.0.1:1/0?nonsense=1", 2, "not a URL such as"},
	} {
		both := [][]string{{"export", "redis", job, "--url", c.url}, {"run", job, "--quiet", "--mirror", c.url}}
		for _, args := range both {
			code := c.code
			if args[0] == "run" && code == 1 {
				code = 0 // the crawl does not depend on it
			}
			said := dogearRun(t, code, args...).said()
			if !strings.Contains(said, c.says) && (args[0] != "run" || !strings.Contains(said, "--mirror is json:FILE")) {
				t.Errorf("%q said %s", args, said)
			}
			if strings.Contains(said, "s3cr3t") {
				t.Errorf("%q shows the password: %s", args, said)
			}
		}
	}
	for _, line := range rows(t, stateOf(job), `SELECT target FROM mirror_cursors`) {
		if strings.Contains(line, "s3cr3t") {
			t.Errorf("the password is in the state file: %s", line)
		}
	}
}
