package export

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// How long Redis may take to be reached, and to answer.
const (
	redisDial   = 3 * time.Second
	redisAnswer = 30 * time.Second
)

// RedisTarget is where a Redis is and how to be let in. Its text and all errors about it are without the password.
type RedisTarget struct {
	options *redis.Options
	secure  bool
}

// errRedisURL quotes nothing of the URL: what is wrong may be the password, and where it ends is not known then.
var errRedisURL = errors.New("that is not a URL such as redis://:PASSWORD@HOST:6379/0 (or rediss://, with TLS); " +
	"in the password write %25 for %, %40 for @, %2F for /, %3A for :, %23 for # and %3F for ?")

// ParseRedisURL reads redis://[USER:PASSWORD@]HOST[:PORT][/DB], or rediss:// for TLS.
func ParseRedisURL(text string) (*RedisTarget, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Opaque != "" || u.Fragment != "" ||
		strings.ContainsAny(u.Path+u.RawQuery+u.Host, "@") {
		return nil, errRedisURL
	}
	o, err := redis.ParseURL(text)
	if err != nil {
		return nil, errRedisURL
	}
	return newRedisTarget(o), nil
}

// RedisAt is a target put together from its parts; "" is the default of each.
func RedisAt(host, port, db, password string) (*RedisTarget, error) {
	o := &redis.Options{Addr: net.JoinHostPort(orElse(host, "127.0.0.1"), orElse(port, "6379")), Password: password}
	if n, err := strconv.Atoi(orElse(port, "6379")); err != nil || n < 1 || n > 65535 {
		return nil, fmt.Errorf("REDIS_PORT is a number such as 6379, not %q", port)
	}
	n, err := strconv.Atoi(orElse(db, "0"))
	if err != nil || n < 0 {
		return nil, fmt.Errorf("REDIS_DB is the number of a database such as 0, not %q", db)
	}
	o.DB = n
	return newRedisTarget(o), nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func newRedisTarget(o *redis.Options) *RedisTarget {
	o.MaxRetries = -1 // a transaction sent again could reach a server that has lost its data meanwhile
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout = redisDial, redisAnswer, redisAnswer
	o.DialerRetries, o.PoolSize, o.ContextTimeoutEnabled, o.DisableIdentity = 1, 2, true, true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return &RedisTarget{options: o, secure: o.TLSConfig != nil}
}

// String is the URL without user and password.
func (t *RedisTarget) String() string {
	scheme := "redis"
	if t.secure {
		scheme = "rediss"
	}
	return fmt.Sprintf("%s://%s/%d", scheme, t.options.Addr, t.options.DB)
}

// open makes a client, which connects at its first command. Close it.
func (t *RedisTarget) open() *redis.Client {
	logging.Disable() // it would write to stderr, in the middle of ours
	o := *t.options
	return redis.NewClient(&o)
}

// explain says whose error it is, and what helps.
func (t *RedisTarget) explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	_, network := errors.AsType[*net.OpError](err)
	switch {
	case network, errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s can't be reached: %w: is it running? "+
			"--url (or --mirror), or REDIS_HOST and REDIS_PORT, say where it is", t, err)
	case redis.IsAuthError(err):
		return fmt.Errorf("%s: %w: give the password with --url redis://:PASSWORD@…, or REDIS_PASSWORD", t, err)
	}
	return fmt.Errorf("%s: %w", t, err)
}
