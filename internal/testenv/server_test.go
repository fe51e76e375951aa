package testenv

import (
	"context"
	"database/sql"
	"os"
	"testing"

	_ "github.com/go-sql-driver/mysql"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func TestMariaDBTakesEmojiAndOutlivesAKill(t *testing.T) {
	s := MySQL(t)
	admin := s.Open(t)
	defer admin.Close()
	config := s.config.Clone()
	exec := func(db *sql.DB, q string, args ...any) {
		t.Helper()
		if _, err := db.Exec(q, args...); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	exec(admin, "CREATE DATABASE dogear_test_self CHARACTER SET utf8mb4")
	defer exec(admin, "DROP DATABASE dogear_test_self")
	config.DBName = "dogear_test_self"
	db, err := sql.Open("mysql", config.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec(db, "CREATE TABLE t (v TEXT) ENGINE=InnoDB")
	exec(db, "INSERT INTO t VALUES (?)", "狗耳🐶𠮷")
	if s.Server != nil {
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
	}
	var got string
	if err := db.QueryRow("SELECT v FROM t").Scan(&got); err != nil || got != "狗耳🐶𠮷" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestRedisKeepsWhatItIsTold(t *testing.T) {
	c := Redis(t).Client(t)
	ctx := context.Background()
	if err := c.SAdd(ctx, "finished", "狗耳🐶", "b").Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := c.SCard(ctx, "finished").Result(); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestOneServerServesAllTestsOfAProcess(t *testing.T) {
	if a, b := MySQL(t), MySQL(t); a.Server != b.Server {
		t.Error("two MariaDBs")
	}
	if a, b := Redis(t), Redis(t); a.URL != b.URL {
		t.Error("two Redises")
	}
}
