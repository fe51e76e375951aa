package export

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"dogear/state"
)

// redisKeys are the names of a checkpoint's parts in Redis.
type redisKeys struct {
	page             string // string: the lowest number that is not done
	finished         string // set of URLs
	fails            string // list of URLs
	completed, stuck string // sets of the range's numbers, done and failed
	stats            string // hash: completed, failed, total, progress

	mirror   string // string: whose live copy this is and how far, see mark
	building string // string: the suffix of the temporary keys that a build fills now
}

func keysOf(job string) redisKeys {
	scripts, ids := "crawl:break:"+job+":", "crawler:"+job+":"
	return redisKeys{
		page: scripts + "current_page", finished: scripts + "finished_urls", fails: scripts + "fail_urls",
		completed: ids + "completed_ids", stuck: ids + "failed_ids", stats: ids + "stats",
		mirror: scripts + "mirror", building: scripts + "building",
	}
}

// lists are the keys that are built under temporary names.
func (k *redisKeys) lists() []string { return []string{k.finished, k.fails, k.completed, k.stuck} }

// facts are what a checkpoint says besides its lists.
type facts struct {
	page     *int64
	progress state.Progress
}

func (c *Checkpoint) facts(ctx context.Context, s *state.Store) (f facts, err error) {
	if f.page, err = c.Page(ctx, s); err != nil {
		return f, err
	}
	f.progress, err = s.Progress(ctx)
	return f, err
}

// put writes the facts, in the transaction of pipe.
func (f *facts) put(ctx context.Context, pipe redis.Pipeliner, k *redisKeys) {
	if f.page == nil {
		pipe.Del(ctx, k.page)
		return
	}
	pipe.Set(ctx, k.page, *f.page, 0)
	pipe.HSet(ctx, k.stats, "completed", f.progress.Done, "failed", f.progress.Failed, "total", f.progress.Total,
		"progress", fmt.Sprintf("%.1f", f.progress.Percent))
}

// mark is what stands under the key mirror: which state file it copies, and up to which change.
func mark(file time.Time, seq int64) string { return fmt.Sprintf("%d:%d", file.UnixMilli(), seq) }

// marked reads a mark; false when it is none of this file's.
func marked(text string, file time.Time) (seq int64, ok bool) {
	var made int64
	n, err := fmt.Sscanf(text, "%d:%d", &made, &seq)
	return seq, err == nil && n == 2 && made == file.UnixMilli()
}
