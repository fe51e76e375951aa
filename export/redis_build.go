package export

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"dogear/state"
)

const (
	// redisBatch is how many URLs one round trip sends.
	redisBatch = 2000
	// leftoverLife is how long the temporary keys of a killed build stay when none follows.
	leftoverLife = time.Hour
)

// errRebuilt says that another build of the same checkpoint began later, which will be the newer, or that Redis
// does not have the temporary keys any more.
var errRebuilt = errors.New("another export of this job to the same Redis took its place, " +
	"or Redis lost what was sent: export again")

// RedisCounts is what a checkpoint in Redis holds.
type RedisCounts struct{ Finished, Failed int64 }

// Redis puts the checkpoint at the target: built under temporary keys, then renamed in one transaction, so that a
// reader never sees half, and nothing that an earlier one left stays. With a ttl above 0 all its keys expire after
// that time.
func (c *Checkpoint) Redis(
	ctx context.Context, s *state.Store, to *RedisTarget, ttl time.Duration,
) (RedisCounts, error) {
	client := to.open()
	defer client.Close()
	var b *redisBuild
	err := s.Snapshot(ctx, func(s *state.Store) (err error) {
		if b, err = c.newBuild(ctx, client); err != nil {
			return err
		}
		f, err := b.head(ctx, s)
		if err == nil {
			err = b.tail(ctx, s)
		}
		if err != nil {
			return err
		}
		return b.publish(ctx, f, "", ttl)
	})
	if err != nil {
		if b != nil {
			b.abandon(ctx)
		}
		return RedisCounts{}, to.explain(err)
	}
	return b.counts, nil
}

// redisBuild fills temporary keys. An export reads all from one moment; a mirror reads the failed tasks from one, and
// the done ones in short reads after it: what finishes meanwhile may be in both and in the changes since, which does
// no harm to a set.
type redisBuild struct {
	*Checkpoint
	client  *redis.Client
	keys    redisKeys
	suffix  string           // of the temporary keys
	waiting map[string][]any // members that wait for their round trip, by key
	n       int              // URLs among them
	filled  map[string]bool  // keys that have a temporary one
	counts  RedisCounts
}

// newBuild takes the place of any other build of this checkpoint, and removes what it left.
func (c *Checkpoint) newBuild(ctx context.Context, client *redis.Client) (*redisBuild, error) {
	b := &redisBuild{Checkpoint: c, client: client, keys: keysOf(c.Job)}
	b.waiting, b.filled = map[string][]any{}, map[string]bool{}
	b.suffix = ":" + rand.Text()
	old, err := client.Get(ctx, b.keys.building).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, err
	}
	if err := client.Set(ctx, b.keys.building, b.suffix, leftoverLife).Err(); err != nil {
		return nil, err
	}
	if old == "" {
		return b, nil
	}
	var left []string
	for _, key := range b.keys.lists() {
		left = append(left, key+old)
	}
	return b, client.Unlink(ctx, left...).Err()
}

// head reads the facts and adds the failed tasks.
func (b *redisBuild) head(ctx context.Context, s *state.Store) (facts, error) {
	f, err := b.facts(ctx, s)
	if err != nil {
		return f, err
	}
	err = s.EachFailed(ctx, state.Filter{}, func(t state.FailedTask) error {
		b.counts.Failed++
		return b.add(ctx, b.keys.fails, b.keys.stuck, t.URL)
	})
	if err != nil {
		return f, err
	}
	return f, b.flush(ctx)
}

// tail adds the done tasks.
func (b *redisBuild) tail(ctx context.Context, s *state.Store) error {
	err := s.EachDone(ctx, func(url string) error {
		b.counts.Finished++
		return b.add(ctx, b.keys.finished, b.keys.completed, url)
	})
	if err != nil {
		return err
	}
	return b.flush(ctx)
}

func (b *redisBuild) add(ctx context.Context, urls, numbers, url string) error {
	b.waiting[urls] = append(b.waiting[urls], url)
	if b.Value != nil {
		if v, ok := b.Value(url); ok {
			b.waiting[numbers] = append(b.waiting[numbers], v)
		}
	}
	if b.n++; b.n < redisBatch {
		return nil
	}
	return b.flush(ctx)
}

func (b *redisBuild) flush(ctx context.Context) error {
	if b.n == 0 {
		return nil
	}
	var owner *redis.StringCmd
	_, err := b.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		owner = pipe.Get(ctx, b.keys.building)
		pipe.Expire(ctx, b.keys.building, leftoverLife)
		for key, members := range b.waiting {
			if len(members) == 0 {
				continue
			}
			if key == b.keys.fails {
				pipe.RPush(ctx, key+b.suffix, members...)
			} else {
				pipe.SAdd(ctx, key+b.suffix, members...)
			}
			pipe.Expire(ctx, key+b.suffix, leftoverLife)
			b.filled[key] = true
			b.waiting[key] = members[:0]
		}
		return nil
	})
	b.n = 0
	if errors.Is(err, redis.Nil) || err == nil && owner.Val() != b.suffix {
		return errRebuilt
	}
	return err
}

// abandon removes the temporary keys, if Redis can be reached; otherwise they expire.
func (b *redisBuild) abandon(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), redisDial)
	defer cancel()
	var keys []string
	for key := range b.filled {
		keys = append(keys, key+b.suffix)
	}
	if len(keys) > 0 {
		b.client.Unlink(ctx, keys...)
	}
}

// publish renames the temporary keys, all in one transaction. mirror is the mark of a live copy; "" when it is none.
func (b *redisBuild) publish(ctx context.Context, f facts, mirror string, ttl time.Duration) error {
	watched := []string{b.keys.building}
	for key := range b.filled {
		watched = append(watched, key+b.suffix)
	}
	err := b.client.Watch(ctx, func(tx *redis.Tx) error {
		there, err := tx.Exists(ctx, watched...).Result()
		if err != nil {
			return err
		}
		mine, err := tx.Get(ctx, b.keys.building).Result()
		if errors.Is(err, redis.Nil) || err == nil && (mine != b.suffix || there < int64(len(watched))) {
			return errRebuilt
		}
		if err != nil {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			b.replace(ctx, pipe, f, mirror, ttl)
			return nil
		})
		return err
	}, watched...)
	if errors.Is(err, redis.TxFailedErr) {
		return errRebuilt
	}
	return err
}

// replace is the transaction that puts the new checkpoint in the place of the old.
func (b *redisBuild) replace(ctx context.Context, pipe redis.Pipeliner, f facts, mirror string, ttl time.Duration) {
	b.rename(ctx, pipe)
	f.put(ctx, pipe, &b.keys)
	pipe.Del(ctx, b.keys.building, b.keys.mirror)
	if mirror != "" {
		pipe.Set(ctx, b.keys.mirror, mirror, 0)
	}
	if ttl > 0 {
		for _, key := range append(b.keys.lists(), b.keys.page, b.keys.stats) {
			pipe.PExpire(ctx, key, ttl)
		}
	}
}

// rename puts the temporary keys in the place of the others. Those are unlinked first, which frees them in the
// background: a rename would hold up everybody while it frees millions of members.
func (b *redisBuild) rename(ctx context.Context, pipe redis.Pipeliner) {
	keys := []string{b.keys.finished, b.keys.fails}
	if b.Value != nil {
		keys = append(keys, b.keys.completed, b.keys.stuck)
		pipe.Del(ctx, b.keys.stats)
	}
	for _, key := range keys {
		pipe.Unlink(ctx, key)
		if b.filled[key] {
			pipe.Rename(ctx, key+b.suffix, key)
			pipe.Persist(ctx, key)
		}
	}
}
