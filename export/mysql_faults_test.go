package export_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"dogear/export"
	"dogear/internal/testenv"
)

// openwpm-utils #13: what was sent when the export ended came twice with the next one. Here it is stopped after every
// transaction that there is.
func TestAnExportThatIsStoppedAnywhereIsCarriedOn(t *testing.T) {
	b := newBook(t, items())
	b.pages(300, item)
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		o := b.options()
		o.Watch = func(export.MySQLProgress) { cancel() }
		m := export.NewMySQL(o)
		sent, err := m.Send(ctx, b.store())
		m.Close()
		cancel()
		if err == nil {
			if sent.Rows != 0 || stops < 5 {
				t.Errorf("the last one sent %d rows after %d stops", sent.Rows, stops)
			}
			break
		}
		if !errors.Is(err, context.Canceled) || sent.Rows == 0 {
			t.Fatalf("stop %d: %d rows, %v", stops, sent.Rows, err)
		}
	}
	b.wantEqual()
}

// The server dies as in a power cut, and is started again.
func TestAServerThatDiesIsWaitedFor(t *testing.T) {
	server := testenv.MySQL(t)
	if server.Server == nil {
		t.Skip("the server is not ours to kill")
	}
	b := newBook(t, items())
	b.pages(300, item)
	var died, back sync.Once
	started := make(chan error, 1)
	o := b.options()
	o.Watch = func(export.MySQLProgress) {
		died.Do(func() {
			if err := server.Kill(); err != nil {
				t.Error(err)
			}
		})
	}
	o.Warn = func(string) { back.Do(func() { go func() { started <- server.Start() }() }) }
	n, err := b.send(o)
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	if err != nil || n < 300 {
		t.Errorf("sent %d rows, %v", n, err)
	}
	b.wantEqual()
	b.wantSent(0)
}

func TestAServerThatStaysAwayEndsTheExportWhenPatienceIsOver(t *testing.T) {
	server := testenv.MySQL(t)
	if server.Server == nil {
		t.Skip("the server is not ours to kill")
	}
	b := newBook(t, items())
	b.pages(300, item)
	o := b.options()
	o.Patience = time.Millisecond
	o.Watch = func(export.MySQLProgress) {
		if err := server.Kill(); err != nil {
			t.Error(err)
		}
	}
	n, err := b.send(o)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if !export.MySQLAway(err) || n == 0 || n >= 300 {
		t.Errorf("sent %d rows, %v", n, err)
	}
	if _, err := b.send(b.options()); err != nil {
		t.Fatal(err)
	}
	b.wantEqual()
}

// Somebody has locked a row, with more changed rows than the export's transaction has, and then wants what the export
// has locked: the server ends the export's transaction (1213).
func TestADeadlockIsTriedAgain(t *testing.T) {
	b := newBook(t, items())
	b.pages(300, item)
	b.wantSent(300)
	b.again()
	b.pages(300, item)
	b.exec(`CREATE TABLE heavy (id INT PRIMARY KEY)`)
	other, err := b.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Rollback()
	for _, q := range []string{`INSERT INTO heavy SELECT seq FROM seq_1_to_5000`, `UPDATE items SET note = 'mine' WHERE id = 40`} {
		if _, err := other.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	warned := make(chan string, 1)
	o := b.options()
	o.Warn = func(text string) { warned <- text }
	over := make(chan error, 1)
	go func() {
		_, err := b.send(o)
		over <- err
	}()
	b.waitForLock()
	if _, err := other.ExecContext(t.Context(), `UPDATE dogear_exports SET updated_at = updated_at WHERE task_name = 'job'`); err != nil {
		t.Fatalf("the other one was the victim: %v", err)
	}
	if text := <-warned; !strings.Contains(text, "1213") {
		t.Errorf("warned of %s", text)
	}
	if err := other.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	b.wantEqual()
}

// waitForLock returns when a transaction waits for another.
func (b *book) waitForLock() {
	b.t.Helper()
	for b.query1(`SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'`) == "0" {
		select {
		case <-b.t.Context().Done():
			b.t.Fatal("nobody waits")
		case <-time.After(200 * time.Millisecond): // the server makes that table anew only when nobody has read it for 100 ms
		}
	}
}

// A lock that outlasts innodb_lock_wait_timeout (1205).
func TestALockedRowIsWaitedFor(t *testing.T) {
	b := newBook(t, items())
	b.page([]any{int64(1), "x"})
	b.wantSent(1)
	b.again()
	b.page([]any{int64(1), "y"})
	admin := testenv.MySQL(t).Open(t)
	defer admin.Close()
	if _, err := admin.Exec(`SET GLOBAL innodb_lock_wait_timeout = 1`); err != nil {
		t.Fatal(err)
	}
	defer admin.Exec(`SET GLOBAL innodb_lock_wait_timeout = DEFAULT`)
	other, err := b.db.BeginTx(t.Context(), &sql.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Rollback()
	if _, err := other.Exec(`UPDATE items SET note = 'mine' WHERE id = 1`); err != nil {
		t.Fatal(err)
	}
	o := b.options()
	o.Warn = func(text string) {
		if !strings.Contains(text, "1205") {
			t.Errorf("warned of %s", text)
		}
		other.Rollback()
	}
	if n, err := b.send(o); n != 1 || err != nil {
		t.Errorf("sent %d rows, %v", n, err)
	}
	b.wantEqual()
}

// Two exports of one job at once, with a crawl that goes on: none overwrites what the other has sent with older rows.
func TestTwoExportsAtOnceEndWithTheSameRows(t *testing.T) {
	b := newBook(t, items())
	b.pages(300, item)
	b.wantSent(300)
	var both sync.WaitGroup
	for range 3 {
		b.again()
		b.pages(150, item)
		for range 2 {
			both.Go(func() {
				if _, err := b.send(b.options()); err != nil {
					t.Error(err)
				}
			})
		}
		b.pages(150, func(task int64) [][]any { return [][]any{{task, "last"}} })
	}
	both.Wait()
	if _, err := b.send(b.options()); err != nil {
		t.Fatal(err)
	}
	b.wantEqual()
}
