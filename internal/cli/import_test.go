package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// taken is a job of 60 products and what a script had done of it: 1..20 page by page, 41..45 and 60 besides, and given
// up 7 and 50.
type taken struct {
	*testing.T
	site *practice.Process
	job  string
}

func newTaken(t *testing.T) taken {
	p := site(t, practice.Options{Products: 60})
	return taken{t, p, writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 60, 8))}
}

func (s taken) url(id int) string { return fmt.Sprintf("%s/v1/product/%d", s.site.URL, id) }

func (s taken) urls(ids ...int) []string {
	var urls []string
	for _, id := range ids {
		urls = append(urls, s.url(id))
	}
	return urls
}

var (
	scriptDone   = []int{41, 42, 43, 44, 45, 60}
	scriptFailed = []int{7, 50}
)

// finish imports, twice, and finishes the job: the site is asked for each of the rest once.
func (s taken) finish(env []string, args ...string) {
	s.Helper()
	for range 2 {
		c := command(s.T, append([]string{"import"}, args...)...)
		c.Env = append(c.Env, env...)
		if err := c.Start(); err != nil {
			s.Fatal(err)
		}
		if code := c.exit(); code != 0 {
			s.Fatalf("import: exit %d:\n%s", code, c.said())
		}
	}
	if diff := cmp.Diff([]string{"60 33 25 2"}, rows(s.T, stateOf(s.job),
		`SELECT total, pending, done, failed FROM progress`)); diff != "" {
		s.Errorf("total, pending, done, failed (-want +got):\n%s", diff)
	}
	dogearRun(s.T, 3, "run", s.job, "--quiet")
	s.asked(func(id int) bool { return id > 20 && !(id >= 41 && id <= 45) && id != 50 && id != 60 })
	dogearRun(s.T, 3, "verify", s.job)
	dogearRun(s.T, 0, "retry", s.job, "--kind", "import", "--quiet")
	s.asked(func(id int) bool { return id == 7 || id > 20 && !(id >= 41 && id <= 45) && id != 60 })
	dogearRun(s.T, 0, "verify", s.job)
	if got := rows(s.T, stateOf(s.job), `SELECT count(*) FROM products`); got[0] != "35" {
		s.Errorf("%s records, want those of the 35 that were fetched", got[0])
	}
}

func (s taken) asked(wanted func(id int) bool) {
	s.Helper()
	counts := must(s.site.Counts())
	for id := 1; id <= 60; id++ {
		want := 0
		if wanted(id) {
			want = 1
		}
		if got := counts[fmt.Sprintf("/v1/product/%d", id)]; int(got) != want {
			s.Errorf("product %d was asked for %d times, want %d", id, got, want)
		}
	}
}

// What Python's json.dump(checkpoint, f, ensure_ascii=False) writes.
func (s taken) dump(page any, finished, failed []string) string {
	list := func(urls []string) string { return `["` + strings.Join(urls, `", "`) + `"]` }
	const form = `{"current_page": %v, "finished_urls": %s, "fail_urls": %s, "update_time": "2024-05-01 12:00:00"}`
	return fmt.Sprintf(form, page, list(finished), list(failed))
}

func (s taken) write(text string) string {
	s.Helper()
	path := filepath.Join(filepath.Dir(s.job), "progress.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
	return path
}

func TestAScriptsJSONCheckpointIsTakenOverAndTheJobFinished(t *testing.T) {
	s := newTaken(t)
	s.finish(nil, "json", s.job, "--file", s.write(s.dump(21, s.urls(scriptDone...), s.urls(scriptFailed...))))
}

func TestAScriptsRedisCheckpointIsTakenOverAndTheJobFinished(t *testing.T) {
	server := testenv.Redis(t)
	client, ctx := server.Client(t), t.Context()
	for _, shape := range []string{"by URL", "by id"} {
		t.Run(shape, func(t *testing.T) {
			s := newTaken(t)
			client.FlushDB(ctx)
			client.Set(ctx, "crawl:break:my spider:current_page", 21, 0)
			for i, id := range append(scriptDone, scriptFailed...) {
				switch failed := i >= len(scriptDone); {
				case shape == "by URL" && failed:
					client.RPush(ctx, "crawl:break:my spider:fail_urls", s.url(id), s.url(id))
				case shape == "by URL":
					client.SAdd(ctx, "crawl:break:my spider:finished_urls", s.url(id))
				case failed:
					client.SAdd(ctx, "crawler:my spider:failed_ids", id)
				default:
					client.SAdd(ctx, "crawler:my spider:completed_ids", id)
				}
			}
			o := client.Options()
			env := []string{"REDIS_HOST=127.0.0.1", "REDIS_PORT=" + o.Addr[strings.LastIndexByte(o.Addr, ':')+1:],
				"REDIS_PASSWORD=" + o.Password, fmt.Sprint("REDIS_DB=", o.DB)}
			if shape == "by URL" {
				s.finish(env, "redis", s.job, "--name", "my spider")
			} else {
				s.finish(nil, "redis", s.job, "--name", "my spider", "--url", server.URL)
			}
		})
	}
}

const breakpointDDL = `CREATE TABLE crawl_breakpoint (id INT AUTO_INCREMENT PRIMARY KEY,
	task_name VARCHAR(100) UNIQUE, current_page INT DEFAULT 1,
	finished_urls TEXT, fail_urls TEXT, update_time DATETIME DEFAULT CURRENT_TIMESTAMP) DEFAULT CHARSET=utf8mb4`

func TestAScriptsMySQLCheckpointIsTakenOverAndTheJobFinished(t *testing.T) {
	dsn := breakpoints(t)
	for _, shape := range []string{"joined with commas", "as a JSON array", "as str() of a list"} {
		t.Run(shape, func(t *testing.T) {
			s := newTaken(t)
			list := func(ids []int) string {
				switch urls := s.urls(ids...); shape {
				case "joined with commas":
					return strings.Join(urls, ",")
				case "as a JSON array":
					return `["` + strings.Join(urls, `", "`) + `"]`
				default:
					return `['` + strings.Join(urls, `', '`) + `']`
				}
			}
			dsn.exec(`REPLACE INTO crawl_breakpoint (task_name, current_page, finished_urls, fail_urls)
				VALUES ('products', 21, ?, ?)`,
				list(scriptDone), list(scriptFailed))
			s.finish(nil, "mysql", s.job, "--dsn", dsn.text)
		})
	}
}

func TestAnImportThatIsKilledAndRunAgainComesToTheSame(t *testing.T) {
	const all = 60_000
	s := taken{T: t, job: writeJob(t, "products.yaml",
		"start: {url: 'https://a.example/p/{id}', id: 1..60000}\nrecords: {fields: {t: h1}}\n")}
	var text strings.Builder
	text.WriteString(`{"finished_urls": [1`)
	for id := 2; id <= all-100; id++ {
		fmt.Fprintf(&text, ", %d", id)
	}
	text.WriteString(`], "fail_urls": [59901, 59902, 5]}`)
	file := s.write(text.String())
	c := start(t, "import", "json", s.job, "--file", file)
	whenDone(t, c, stateOf(s.job), 5000)
	c.Process.Kill()
	c.exit()
	dogearRun(t, 0, "import", "json", s.job, "--file", file)
	want := []string{"60000 98 59900 2"}
	if diff := cmp.Diff(want, rows(t, stateOf(s.job),
		`SELECT total, pending, done, failed FROM progress`)); diff != "" {
		t.Errorf("total, pending, done, failed (-want +got):\n%s", diff)
	}
	if got := rows(t, stateOf(s.job),
		`SELECT sum(state = 'done'), sum(state = 'failed'), count(*) FROM tasks`); got[0] != "59900 2 60000" {
		t.Errorf("the rows are %s", got[0])
	}
}
