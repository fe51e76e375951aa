package state_test

import (
	"bytes"
	"crypto/rand"
	"os"
	"strings"
	"testing"
	"time"

	"dogear/state"
)

func TestAKeptPageIsThatOfTheLastAnswer(t *testing.T) {
	s := newLarder(t, "a 1 | b 1")
	s.want(`SELECT task, url, status, content_type, at, size, CAST(body AS TEXT) FROM page_bodies WHERE task = 2`,
		"2|http://127.0.0.1:8080/v1/product/2|200|text/html|1770000001000|3|http://127.0.0.1:8080/v1/product/2")
	run := s.open(s.options)
	if _, err := run.Refresh(s.ctx, epoch.Add(time.Hour), nil); err != nil {
		t.Fatal(err)
	}
	tasks := s.commit(run, 2)
	later := kept(tasks[0], epoch.Add(time.Hour))
	later.Kept.Packed = []byte("other")
	putOff := putOff(tasks[1], epoch)
	putOff.Kept = later.Kept // it counts only at the end
	s.commit(run, 0, later, putOff)
	s.want(`SELECT task, at, CAST(body AS TEXT) FROM page_bodies`,
		"1|1770003600000|other\n2|1770000001000|http://127.0.0.1:8080/v1/product/2")
	s.commit(run, 0, done(s.commit(run, 1)[0])) // it is not kept any more
	s.want(`SELECT group_concat(task) FROM page_bodies`, "1")
	s.close(run, state.Finished)
}

// Pages that can't be compressed, as large as the limit of a body allows, in groups as the engine makes them.
func TestKeptPagesDoNotMakeTheWALGrow(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(64)))
	page := make([]byte, 4<<20)
	rand.Read(page)
	tasks := f.commit(run, 64)
	var group []state.Outcome
	weight := 0
	for _, task := range tasks {
		o := kept(task, epoch)
		o.Kept.Packed = page
		group, weight = append(group, o), weight+o.Weight()
		if weight < 8*state.GroupSize { // the engine's
			continue
		}
		f.commit(run, 0, group...)
		group, weight = nil, 0
		if info, err := os.Stat(f.path + "-wal"); err != nil || info.Size() > walLimit {
			t.Fatalf("%v: the WAL has %d bytes", err, info.Size())
		}
	}
	f.want(`SELECT count(*) >= 60 FROM page_bodies`, "1")
}

func TestPagesAreCountedWithoutReadingThem(t *testing.T) {
	s := newLarder(t, "a 1 | b 1")
	k, err := s.store().KeptPages(s.ctx)
	packed := 2 * int64(len("http://127.0.0.1:8080/v1/product/1"))
	if err != nil || k != (state.KeptPages{Pages: 2, Bytes: 6, Disk: packed}) {
		t.Errorf("%+v, %v", k, err)
	}
	raw(`WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 10002)
		INSERT INTO page_bodies SELECT i, '', 200, '', '', 0, 10, x'00' FROM n`)(t, s.path)
	if k, err = s.store().KeptPages(s.ctx); err != nil || k.Pages != 10_000 || !k.More || k.Bytes < 99_000 {
		t.Errorf("%+v, %v", k, err)
	}
}

func TestKeptPagesAreSalvaged(t *testing.T) {
	pages := make([]string, 40)
	for i := range pages {
		pages[i] = strings.Repeat("k", i+1) + " 1"
	}
	s := newLarder(t, strings.Join(pages, "|"))
	want := s.ask(`SELECT * FROM page_bodies`)
	s.db.Close()
	s.db = nil
	spoil(t, s.path)
	run := s.open(s.options)
	if run.Found.Salvaged == nil {
		t.Fatal("it was not salvaged")
	}
	s.db = nil
	if got := s.ask(`SELECT * FROM page_bodies`); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// spoil destroys the page that holds the file's schema, so that every row is found without it.
func spoil(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(content[100:], bytes.Repeat([]byte{0xa5}, 3000))
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
