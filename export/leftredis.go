package export

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// redisChunk is how many members are asked for at once.
const redisChunk = 1000

// LeftRedis is a checkpoint that a script left in a Redis, under crawl:break:NAME:current_page, :finished_urls and
// :fail_urls, and crawler:NAME:completed_ids and :failed_ids.
type LeftRedis struct {
	target *RedisTarget
	client *redis.Client
	types  map[string]string // of the keys that are there
	keys   map[List][]string
	page   Page

	damages []Damage
}

// OpenLeftRedis looks for the keys of a name. ErrNoCheckpoint when there are none.
func OpenLeftRedis(ctx context.Context, from *RedisTarget, name string) (*LeftRedis, error) {
	l := &LeftRedis{target: from, client: from.open(), types: map[string]string{}, keys: map[List][]string{}}
	if err := l.look(ctx, name); err != nil {
		return nil, errors.Join(from.explain(err), l.client.Close())
	}
	return l, nil
}

func (l *LeftRedis) look(ctx context.Context, name string) error {
	page := "crawl:break:" + name + ":" + pageName
	all := []string{page}
	for list, names := range listNames {
		for _, n := range names {
			for _, key := range []string{"crawl:break:" + name + ":" + n, "crawler:" + name + ":" + n} {
				l.keys[list] = append(l.keys[list], key)
				all = append(all, key)
			}
		}
	}
	for _, key := range all {
		kind, err := l.client.Type(ctx, key).Result()
		if err != nil {
			return err
		}
		if kind != "none" {
			l.types[key] = kind
		}
	}
	if len(l.types) == 0 {
		return fmt.Errorf("%w: it has no key crawl:break:%s:current_page, …:finished_urls or …:fail_urls, "+
			"nor crawler:%[2]s:completed_ids or …:failed_ids; another name than %[2]s is given with --name",
			ErrNoCheckpoint, name)
	}
	return l.readPage(ctx, page)
}

func (l *LeftRedis) readPage(ctx context.Context, key string) error {
	at := Place{Key: key, Index: -1}
	kind := l.types[key]
	if kind == "" {
		return nil
	}
	other := func(d Damage) { l.damages = append(l.damages, d) }
	if kind != "string" {
		other(Damage{at, "not a text but another type of Redis", kind})
		return nil
	}
	text, err := l.client.Get(ctx, key).Result()
	if err != nil {
		return err
	}
	pageOf(at, text, &sink{other: other, page: func(p Page) { l.page = p }})
	return nil
}

// Each calls entry for each entry of a list, and damage for what stands there and is none. Redis may give one more than
// once.
func (l *LeftRedis) Each(ctx context.Context, list List, entry func(Entry) error, damage func(Damage)) error {
	out := only(list, entry, damage)
	for _, key := range l.keys[list] {
		if err := l.eachOf(ctx, key, out); err != nil {
			return fmt.Errorf("read %s: %w", key, l.target.explain(err))
		}
	}
	return nil
}

func (l *LeftRedis) eachOf(ctx context.Context, key string, out *sink) error {
	at := Place{Key: key, Index: -1}
	switch kind := l.types[key]; kind {
	case "":
		return nil
	case "set", "zset":
		return l.members(ctx, at, kind == "zset", out)
	case "list":
		return l.items(ctx, at, out)
	case "string":
		text, err := l.client.Get(ctx, key).Result()
		if err != nil {
			return err
		}
		return joined(text, at, false, out)
	default:
		out.damage(Damage{at, "neither a set nor a list but another type of Redis", kind})
		return nil
	}
}

// members reads a set, or a sorted one, of which the scan gives the scores too.
func (l *LeftRedis) members(ctx context.Context, at Place, scores bool, out *sink) error {
	var cursor uint64
	for {
		scan := l.client.SScan
		step := 1
		if scores {
			scan, step = l.client.ZScan, 2
		}
		members, next, err := scan(ctx, at.Key, cursor, "", redisChunk).Result()
		if err != nil {
			return err
		}
		for i := 0; i < len(members); i += step {
			at.Member = members[i]
			if err := out.entryOrDamage(Entry{at, members[i]}); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

func (l *LeftRedis) items(ctx context.Context, at Place, out *sink) error {
	for from := int64(0); ; from += redisChunk {
		items, err := l.client.LRange(ctx, at.Key, from, from+redisChunk-1).Result()
		if err != nil {
			return err
		}
		for i, item := range items {
			at.Index = int(from) + i
			if err := out.entryOrDamage(Entry{at, item}); err != nil {
				return err
			}
		}
		if len(items) < redisChunk {
			return nil
		}
	}
}

// Page is how far the script came.
func (l *LeftRedis) Page() Page { return l.page }

// Damages are what is wrong with anything but the entries of the lists.
func (l *LeftRedis) Damages() []Damage { return l.damages }

// Close ends the connection.
func (l *LeftRedis) Close() error { return l.client.Close() }
