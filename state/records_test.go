package state_test

import (
	"fmt"
	"testing"

	"dogear/schema"
	"dogear/state"
)

func TestRecordsAreWrittenWithTheirTaskPositionAndTime(t *testing.T) {
	f, run, products, notes, tasks := twoTables(t, 2)
	o := doneWithProduct(tasks[0], products, epoch)
	o.Rows = []schema.Row{note(notes, "a"), o.Rows[0], note(notes, nil), note(notes, "c")}
	p := doneWithProduct(tasks[1], products, epoch)
	p.Rows = append(p.Rows, note(notes, "d"))
	f.commit(run, 0, o, p)
	ms := epoch.UnixMilli()
	f.want(`SELECT _seq, _task, _pos, text FROM notes ORDER BY _seq`, lines("1|1|0|a", "3|1|1|NULL", "4|1|2|c", "6|2|0|d"))
	f.want(`SELECT * FROM products`, fmt.Sprintf("2|1|0|%d|1|云山 Tea 12|7999.00|12|茶叶|4.50|%[1]d\n5|2|0|%[1]d|2|云山 Tea 12|7999.00|12|茶叶|4.50|%[1]d", ms))
	if got := run.Tally().Records; got != 6 {
		t.Errorf("%d records tallied, want 6", got)
	}
}

// 64-bit numbers and long decimals keep every digit on their way through the file.
func TestRecordsKeepEveryDigit(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 1)
	o := doneWithProduct(tasks[0], products, epoch)
	o.Rows[0].Values = []any{int64(9223372036854775807), "x", "12345678.90", int64(-9007199254740993), nil, "0.00", int64(-62135596800000)}
	f.commit(run, 0, o)
	f.want(`SELECT product_id, price, stock, category, rating, update_time, typeof(product_id), typeof(price) FROM products`,
		"9223372036854775807|12345678.90|-9007199254740993|NULL|0.00|-62135596800000|integer|text")
}

func TestARecordWithAKnownKeyReplacesTheOlderOneAndMovesToTheEnd(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 3)
	of := func(task state.Task, id int64, name string) state.Outcome {
		o := doneWithProduct(task, products, epoch)
		o.Rows[0].Values[0], o.Rows[0].Values[1] = id, name
		return o
	}
	f.commit(run, 0, of(tasks[0], 7, "old"), of(tasks[1], 8, "other"))
	f.commit(run, 0, of(tasks[2], 7, "new"))
	f.want(`SELECT _seq, _task, product_id, name FROM products ORDER BY _seq`, "2|2|8|other\n3|3|7|new")
}

// Sixteen records go into one statement. A key that comes twice, in one page or in one statement, is one record: the last.
func TestAKeyThatComesTwiceInOneCommitIsOneRecord(t *testing.T) {
	for _, n := range []int{2, 15, 16, 17, 40} {
		t.Run(fmt.Sprintf("among %d records", n), func(t *testing.T) {
			f, run, products, _, tasks := twoTables(t, 1)
			o := doneWithProduct(tasks[0], products, epoch)
			values := o.Rows[0].Values
			o.Rows = nil
			for i := range n {
				id := int64(i)
				if i == n-1 {
					id = 0
				}
				o.Rows = append(o.Rows, schema.Row{Table: products, Values: append([]any{id, fmt.Sprint(i)}, values[2:]...)})
			}
			f.commit(run, 0, o)
			f.want(`SELECT count(*), count(DISTINCT product_id), max(_seq) FROM products`, fmt.Sprintf("%d|%[1]d|%d", n-1, n))
			f.want(`SELECT _seq, _pos, name FROM products WHERE product_id = 0`, fmt.Sprintf("%d|%d|%[2]d", n, n-1))
		})
	}
}

func TestSeqGrowsWithEveryWriteAndIsNeverGivenTwice(t *testing.T) {
	f, run, products, notes, tasks := twoTables(t, 3)
	o := doneWithProduct(tasks[0], products, epoch)
	o.Rows = append(o.Rows, note(notes, "a"), note(notes, "b"))
	f.commit(run, 0, o)
	f.want(`SELECT seq FROM counters`, "3")
	if _, err := openRaw(t, f.path).Exec(`DELETE FROM notes`); err != nil { // the highest numbers are gone
		t.Fatal(err)
	}
	bad := doneWithProduct(tasks[1], products, epoch)
	bad.Rows[0].Values = nil
	if _, err := run.Commit(f.ctx, epoch, []state.Outcome{bad}, 0); err == nil {
		t.Fatal("the commit went through")
	}
	f.close(run, "")

	ops := f.with(productStart(10))
	ops.Tables = []*schema.Table{products, notes}
	run = f.open(ops)
	task := f.commit(run, 1)[0]
	f.commit(run, 0, doneWithProduct(task, products, epoch))
	f.want(`SELECT _seq FROM products ORDER BY _seq`, "1\n4")
	f.want(`SELECT seq FROM counters`, "4")
}

func TestRejectedRecordsAreKeptWithTheirRawText(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 2)
	o := doneWithProduct(tasks[0], products, epoch)
	o.Rejects = []schema.Reject{{Table: "products", Field: "price", Reason: `"1,234" is ambiguous`, Raw: `{"price":"1,234","name":null}`}}
	invalid := failed(tasks[1], "invalid", 200)
	invalid.Rejects = []schema.Reject{{Table: "products", Field: "name", Reason: "required", Raw: `{}`}}
	f.commit(run, 0, o, invalid)
	f.want(`SELECT task, "table", reason, raw, at FROM rejects ORDER BY id`, fmt.Sprintf(
		"1|products|price: \"1,234\" is ambiguous|{\"price\":\"1,234\",\"name\":null}|%d\n2|products|name: required|{}|%[1]d", epoch.UnixMilli()))
	if got := run.Tally().Rejects; got != 2 {
		t.Errorf("%d rejects tallied, want 2", got)
	}
}
