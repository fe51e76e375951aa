package state

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Host is what is kept of a host between runs.
type Host struct {
	Name       string    // host, and the port where that is not its scheme's; a cookie's domain, which has none
	Rate       float64   // requests per second; 0: not learned
	LeaveUntil time.Time // when it may be asked again; zero: now
	Cookies    string    // in the words of who keeps them; they may let in whoever has them. "": none
}

const (
	// Each statement writes columns of its own, so that what is learned of a host's speed and its cookies do not have to
	// know of each other.
	keepHostSQL = `INSERT INTO hosts (host, rate, leave_until, updated_at) VALUES (?, ?, ?, ?) ON CONFLICT (host) DO UPDATE
		SET rate = excluded.rate, leave_until = excluded.leave_until, updated_at = excluded.updated_at`
	keepCookiesSQL = `INSERT INTO hosts (host, cookies, updated_at) VALUES (?, ?, ?) ON CONFLICT (host) DO UPDATE
		SET cookies = excluded.cookies, updated_at = excluded.updated_at`
)

// KeepHosts has the next commit write Rate and LeaveUntil of these hosts. What is given twice is written as given last.
func (r *Run) KeepHosts(hosts []Host) {
	for _, h := range hosts {
		put(&r.hosts, h.Name, h)
	}
}

// KeepCookies has the next commit write the cookies of these domains; "" for none any more.
func (r *Run) KeepCookies(byDomain map[string]string) {
	for domain, cookies := range byDomain {
		put(&r.cookies, domain, cookies)
	}
}

func put[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

// writeHosts writes what KeepHosts and KeepCookies were given; it is forgotten when the commit has come through.
func (r *Run) writeHosts(ctx context.Context, now time.Time) error {
	for _, h := range r.hosts {
		until := any(nil)
		if !h.LeaveUntil.IsZero() {
			until = h.LeaveUntil.UnixMilli()
		}
		if _, err := r.conn.ExecContext(ctx, keepHostSQL, h.Name, orNull(h.Rate), until, now.UnixMilli()); err != nil {
			return fmt.Errorf("keep host %s: %w", h.Name, err)
		}
	}
	for domain, cookies := range r.cookies {
		if _, err := r.conn.ExecContext(ctx, keepCookiesSQL, domain, orNull(cookies), now.UnixMilli()); err != nil {
			return fmt.Errorf("keep the cookies of %s: %w", domain, err)
		}
	}
	return nil
}

// readHosts finds what earlier runs kept.
func (r *Run) readHosts(ctx context.Context) error {
	rows, err := r.conn.QueryContext(ctx, `SELECT host, rate, leave_until, cookies FROM hosts ORDER BY host`)
	if err != nil {
		return fmt.Errorf("read hosts: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var h Host
		var rate sql.NullFloat64
		var until sql.NullInt64
		var cookies sql.NullString
		if err := rows.Scan(&h.Name, &rate, &until, &cookies); err != nil {
			return fmt.Errorf("read hosts: %w", err)
		}
		h.Rate, h.Cookies = rate.Float64, cookies.String
		if until.Valid {
			h.LeaveUntil = time.UnixMilli(until.Int64)
		}
		r.Found.Hosts = append(r.Found.Hosts, h)
	}
	return rows.Err()
}
