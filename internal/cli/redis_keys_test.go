package cli_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"dogear/internal/practice"
)

// checkpointInRedis compares the keys of a job with its state file, row by row.
func checkpointInRedis(t *testing.T, c *redis.Client, job, jobPath string) {
	t.Helper()
	ctx := context.Background()
	got := map[string][]string{}
	for _, key := range must(c.Keys(ctx, "craw*"+job+":*").Result()) {
		switch must(c.Type(ctx, key).Result()) {
		case "set":
			got[key] = must(c.SMembers(ctx, key).Result())
		case "list":
			got[key] = must(c.LRange(ctx, key, 0, -1).Result())
		case "string":
			got[key] = []string{must(c.Get(ctx, key).Result())}
		case "hash":
			for name, v := range must(c.HGetAll(ctx, key).Result()) {
				got[key] = append(got[key], name+" "+v)
			}
		}
		slices.Sort(got[key])
	}
	delete(got, "crawl:break:"+job+":mirror")
	want := checkpointRows(t, job, jobPath)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Redis differs from the state file (-state +Redis):\n%s", shortened(diff))
	}
}

func shortened(text string) string {
	if len(text) > 3000 {
		return text[:3000] + "…"
	}
	return text
}

// checkpointRows is what must stand in Redis of a job whose range is 1..total.
func checkpointRows(t *testing.T, job, jobPath string) map[string][]string {
	t.Helper()
	path := stateOf(jobPath)
	want := map[string][]string{}
	add := func(key string, lines []string) {
		if slices.Sort(lines); len(lines) > 0 {
			want[key] = lines
		}
	}
	ids := func(state string) (ids []string) {
		for _, url := range rows(t, path, `SELECT url FROM tasks WHERE state = ?`, state) {
			ids = append(ids, url[strings.LastIndexByte(url, '/')+1:])
		}
		return ids
	}
	add("crawl:break:"+job+":finished_urls", rows(t, path, `SELECT url FROM tasks WHERE state = 'done'`))
	add("crawl:break:"+job+":fail_urls", rows(t, path, `SELECT url FROM tasks WHERE state = 'failed'`))
	add("crawler:"+job+":completed_ids", ids("done"))
	add("crawler:"+job+":failed_ids", ids("failed"))
	stats := rows(t, path, `SELECT done, failed, printf('%.1f', percent), total FROM progress`)
	for i, name := range []string{"completed", "failed", "progress", "total"} {
		add("crawler:"+job+":stats", append(want["crawler:"+job+":stats"], name+" "+strings.Fields(stats[0])[i]))
	}
	done := map[string]bool{}
	for _, id := range ids("done") {
		done[id] = true
	}
	page := 1
	for done[strconv.Itoa(page)] {
		page++
	}
	want["crawl:break:"+job+":current_page"] = []string{strconv.Itoa(page)}
	return want
}

// productsJob writes a job over a range of ids that the site serves.
func productsJob(t *testing.T, p *practice.Process, n int64, order string) string {
	t.Helper()
	text := practice.ProductsJob(p.URL, n, 32)
	if order == "" {
		text = strings.Replace(text, ", order: shuffle", "", 1)
	}
	return writeJob(t, "products.yaml", text)
}
