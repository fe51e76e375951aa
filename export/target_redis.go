package export

import (
	"cmp"
	"errors"
	"net"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// RedisOptions say how to reach a Redis: by a URL, redis://:password@host:port/db (rediss:// with TLS), or without one by
// REDIS_HOST, REDIS_PORT, REDIS_DB and REDIS_PASSWORD, which env looks up. Its errors show no value.
func RedisOptions(url string, env func(string) (string, bool)) (*redis.Options, error) {
	if url != "" {
		o, err := redis.ParseURL(url)
		if err != nil {
			return nil, errors.New("the URL of the Redis can't be read (it is not shown); it is written redis://:password@host:6379/0")
		}
		return o, nil
	}
	get := func(name, other string) string {
		v, _ := env(name)
		return cmp.Or(v, other)
	}
	db, err := strconv.Atoi(get("REDIS_DB", "0"))
	if err != nil || db < 0 {
		return nil, errors.New("REDIS_DB is the number of a database, such as 0")
	}
	password := get("REDIS_PASSWORD", "")
	return &redis.Options{Addr: net.JoinHostPort(get("REDIS_HOST", "127.0.0.1"), get("REDIS_PORT", "6379")), Password: password, DB: db}, nil
}
