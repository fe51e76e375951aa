package testenv

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

const redisVariable = "DOGEAR_TEST_REDIS_URL"

// RedisServer is a Redis, or the server of DOGEAR_TEST_REDIS_URL.
type RedisServer struct {
	*Server // nil: not ours to stop
	URL     string
}

// redisPassword has what breaks a URL that is put together by hand.
const redisPassword = "p%40ss%2Fword"

var theRedis = struct {
	sync.Once
	server *RedisServer
	err    error
}{}

// Redis returns this process's Redis, started at its first use. Where there is none the test is skipped, with CI=true it
// fails.
func Redis(t testing.TB) *RedisServer {
	t.Helper()
	if url := os.Getenv(redisVariable); url != "" {
		return &RedisServer{URL: url}
	}
	program := Tool(t, "redis-server", "redis-server")
	theRedis.Do(func() { theRedis.server, theRedis.err = startRedis(program) })
	if theRedis.err != nil {
		t.Fatal(theRedis.err)
	}
	return theRedis.server
}

// Client connects to the server, with its database emptied before and after the test.
func (s *RedisServer) Client(t testing.TB) *redis.Client {
	t.Helper()
	o, err := redis.ParseURL(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(o)
	empty := func() {
		if err := c.FlushDB(context.Background()).Err(); err != nil {
			t.Errorf("empty the test's database: %v", err)
		}
	}
	empty()
	t.Cleanup(func() { empty(); c.Close() })
	return c
}

func startRedis(program string) (*RedisServer, error) {
	dir, err := folder("redis")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	url := fmt.Sprintf("redis://:%s@%s/3", redisPassword, address)
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir, Port: port, args: []string{program, "--port", strconv.Itoa(port), "--bind", "127.0.0.1",
		"--requirepass", o.Password, "--save", "", "--appendonly", "no", "--dir", dir}}
	s.ready = func(ctx context.Context) error {
		c := redis.NewClient(o)
		defer c.Close()
		return c.Ping(ctx).Err()
	}
	keep(s)
	return &RedisServer{s, url}, s.Start()
}
