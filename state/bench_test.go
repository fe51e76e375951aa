package state_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

// BenchmarkTask is one task's whole life in the state file: added from a range, claimed, done with one record, committed
// in full groups with synchronous=FULL.
func BenchmarkTask(b *testing.B) { benchmarkTask(b) }

// BenchmarkMirroredTask is the same with a mirror that has every change at once.
func BenchmarkMirroredTask(b *testing.B) {
	benchmarkTask(b, &state.Mirror{Target: "redis://127.0.0.1:6379/0"})
}

func benchmarkTask(b *testing.B, mirrors ...*state.Mirror) {
	ctx := context.Background()
	products := productsTable(b)
	run, err := state.OpenRun(ctx, state.RunOptions{
		Path: filepath.Join(b.TempDir(), "bench.db"), Name: "bench", Text: []byte("name: bench"),
		Tables: []*schema.Table{products}, Starts: []state.Start{productStart(int64(b.N))}, Version: "test", Mirrors: mirrors,
	}, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var group []state.Outcome
	for landed := 0; landed < b.N; landed += len(group) {
		now := time.Now()
		tasks, err := run.Commit(ctx, now, group, state.GroupSize)
		if err != nil {
			b.Fatal(err)
		}
		for _, m := range mirrors {
			m.Reached(int64(landed + len(group)))
		}
		group = group[:0]
		for _, t := range tasks {
			group = append(group, doneWithProduct(t, products, now))
		}
	}
	b.StopTimer()
	if err := run.Close(ctx, time.Now(), state.Finished); err != nil {
		b.Fatal(err)
	}
}

func doneWithProduct(t state.Task, products *schema.Table, now time.Time) state.Outcome {
	return state.Outcome{
		Task: t, State: state.Done, Attempts: 1, Status: 200, Bytes: 300, Took: 2 * time.Millisecond, At: now,
		Rows: []schema.Row{{Table: products, Values: []any{t.ID, "云山 Tea 12", "7999.00", int64(12), "茶叶", "4.50", now.UnixMilli()}}},
	}
}

func productStart(total int64) state.Start {
	return state.Start{Entry: "http://127.0.0.1:8080/v1/product/{id}", Total: total, Request: func(i int64) schema.Request {
		return schema.Request{URL: fmt.Sprintf("http://127.0.0.1:8080/v1/product/%d", i+1), Page: "page"}
	}}
}

func productsTable(tb testing.TB) *schema.Table {
	tb.Helper()
	t, err := compiledProducts()
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func compiledProducts() (*schema.Table, error) {
	t := &schema.Table{Name: "products", Key: []string{"product_id"}, Fields: []schema.Field{
		{Name: "product_id", Type: schema.Type{Kind: schema.Int}}, {Name: "name"},
		{Name: "price", Type: schema.Type{Kind: schema.Decimal, Precision: 10, Scale: 2}},
		{Name: "stock", Type: schema.Type{Kind: schema.Int}}, {Name: "category"},
		{Name: "rating", Type: schema.Type{Kind: schema.Decimal, Precision: 3, Scale: 2}},
		{Name: "update_time", Type: schema.Type{Kind: schema.Datetime}},
	}}
	return t, t.Compile()
}
