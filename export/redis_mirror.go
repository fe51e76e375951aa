package export

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"dogear/state"
)

// changeBatch is how many changes one transaction brings to a mirror.
const changeBatch = 2000

// RedisMirror keeps a checkpoint in Redis up to date while a run goes on. How far it is stands in Redis itself, under
// the key mirror, and is written in the same transaction as what changed: each change is made once, whatever ends in
// between. One goroutine uses it.
type RedisMirror struct {
	*Checkpoint
	to     *RedisTarget
	store  *state.Store
	client *redis.Client
	keys   redisKeys
	file   time.Time // when the state file was made, which tells it from another of the same name
	known  bool      // the cursor in the state file, or a build of ours, says that the copy is one
}

// NewRedisMirror makes a mirror of what s holds. It connects at the first Sync. Close it.
func NewRedisMirror(ctx context.Context, c *Checkpoint, s *state.Store, to *RedisTarget) (*RedisMirror, error) {
	info, err := s.Job(ctx)
	if err != nil {
		return nil, err
	}
	_, known, err := s.MirrorCursor(ctx, to.String())
	if err != nil {
		return nil, err
	}
	return &RedisMirror{
		Checkpoint: c, to: to, store: s, client: to.open(), keys: keysOf(c.Job), file: info.CreatedAt, known: known,
	}, nil
}

// Close ends the connection.
func (m *RedisMirror) Close() error { return m.client.Close() }

// Sync brings the mirror a batch of changes closer, or makes it from the beginning where it has no past to go on
// from: a target that is new, that lost its data, or that something else wrote to. It returns the change that the
// mirror is at (-1: that is not known), and whether there are more.
func (m *RedisMirror) Sync(ctx context.Context) (at int64, more bool, err error) {
	if at, more, err = m.follow(ctx); errors.Is(err, state.ErrTrimmed) {
		at, err = m.build(ctx)
		more = true // what changed meanwhile
	}
	if errors.Is(err, redis.TxFailedErr) || errors.Is(err, errRebuilt) {
		return -1, true, nil // somebody else wrote: the next one sees what
	}
	return at, more, m.to.explain(err)
}

// follow makes the changes after the mark in Redis. state.ErrTrimmed says that they can't be known.
func (m *RedisMirror) follow(ctx context.Context) (at int64, more bool, err error) {
	err = m.client.Watch(ctx, func(tx *redis.Tx) error {
		text, err := tx.Get(ctx, m.keys.mirror).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		seq, ok := marked(text, m.file)
		if !ok || !m.known {
			return fmt.Errorf("mark %q: %w", text, state.ErrTrimmed)
		}
		changes, err := m.store.Changes(ctx, seq, changeBatch)
		if err != nil {
			return err
		}
		var f facts
		err = m.store.Snapshot(ctx, func(s *state.Store) (err error) {
			f, err = m.facts(ctx, s)
			return err
		})
		if err != nil {
			return err
		}
		if at, more = seq, len(changes) == changeBatch; len(changes) > 0 {
			at = changes[len(changes)-1].Seq
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			m.change(ctx, pipe, changes)
			f.put(ctx, pipe, &m.keys)
			pipe.Set(ctx, m.keys.mirror, mark(m.file, at), 0)
			return nil
		})
		return err
	}, m.keys.mirror)
	return at, more, err
}

// build makes the mirror from the beginning.
func (m *RedisMirror) build(ctx context.Context) (at int64, err error) {
	b, err := m.newBuild(ctx, m.client)
	if err != nil {
		return 0, err
	}
	var f facts
	err = m.store.Snapshot(ctx, func(s *state.Store) (err error) {
		if at, err = s.LastChange(ctx); err == nil {
			f, err = b.head(ctx, s)
		}
		return err
	})
	if err == nil {
		err = b.tail(ctx, m.store)
	}
	if err == nil {
		err = b.publish(ctx, f, mark(m.file, at), 0)
	}
	if err != nil {
		b.abandon(ctx)
		return 0, err
	}
	m.known = true
	return at, nil
}

// change makes the changes, in their order where one depends on it.
func (m *RedisMirror) change(ctx context.Context, pipe redis.Pipeliner, changes []state.Change) {
	var urls, numbers []any
	for i := range changes {
		c := &changes[i]
		if c.Again {
			pipe.LRem(ctx, m.keys.fails, 0, c.URL)
		}
		switch c.State {
		case state.Done:
			urls = append(urls, c.URL)
			numbers = m.number(numbers, c)
		case state.Failed:
			pipe.RPush(ctx, m.keys.fails, c.URL)
			m.move(ctx, pipe, c, m.keys.finished, m.keys.completed, m.keys.stuck)
		}
	}
	if len(urls) > 0 {
		pipe.SAdd(ctx, m.keys.finished, urls...)
	}
	if len(numbers) > 0 {
		pipe.SAdd(ctx, m.keys.completed, numbers...)
		pipe.SRem(ctx, m.keys.stuck, numbers...)
	}
}

// move takes a task that failed out of the sets of those that are done.
func (m *RedisMirror) move(ctx context.Context, pipe redis.Pipeliner, c *state.Change, urls, from, to string) {
	pipe.SRem(ctx, urls, c.URL)
	if v := m.number(nil, c); v != nil {
		pipe.SRem(ctx, from, v...)
		pipe.SAdd(ctx, to, v...)
	}
}

func (m *RedisMirror) number(to []any, c *state.Change) []any {
	if m.Value == nil {
		return to
	}
	if v, ok := m.Value(c.URL); ok {
		to = append(to, v)
	}
	return to
}
