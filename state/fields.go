package state

import (
	"context"
	"fmt"
	"strings"

	"dogear/schema"
)

// FillPages is how many pages tell that a field is never filled, and how many of earlier runs are known at most.
const FillPages = 100

// FieldCount is what became of a field in the records read so far, a record that was read again counted again.
type FieldCount struct {
	Table     string `json:"table"`
	Field     string `json:"field"`
	Filled    int64  `json:"filled"`    // with a value from the page
	Defaulted int64  `json:"defaulted"` // nothing usable on the page: the default
	Empty     int64  `json:"empty"`     // the same without a default: NULL
	Rejected  int64  `json:"rejected"`  // records that were rejected because of it
}

// Read is how many records were read that were not rejected; it is the same for all fields of a table that are as old.
func (c *FieldCount) Read() int64 { return c.Filled + c.Defaulted + c.Empty }

func (c *FieldCount) add(o *FieldCount) {
	c.Filled += o.Filled
	c.Defaulted += o.Defaulted
	c.Empty += o.Empty
	c.Rejected += o.Rejected
}

// FieldFill is a FieldCount as a run knows it.
type FieldFill struct {
	FieldCount
	// Pages are those that gave records of the table, or one that was rejected because of this field: those of this run
	// and, of a field that was never filled before, up to FillPages of earlier ones; of earlier ones none after a change
	// of the job, which may have mended what was wrong.
	Pages int64
}

// fieldCounter counts what becomes of the fields. What an outcome adds is fresh until its commit is on the disk.
type fieldCounter struct {
	landed []FieldFill    // the fields of the job's tables, in their order
	fresh  []freshFill    // by the same places
	first  map[string]int // by table: the place of its first field
}

type freshFill struct {
	FieldFill
	task int64 // the last one whose page is counted
}

func (f *freshFill) page(task int64) {
	if f.task != task {
		f.task = task
		f.Pages++
	}
}

// row counts a record that fits its table.
func (c *fieldCounter) row(row *schema.Row, task int64) {
	fresh := c.fresh[c.first[row.Table.Name]:]
	for i, v := range row.Values {
		f := &fresh[i]
		if f.page(task); v != nil {
			f.Filled++
		} else {
			f.Empty++
		}
	}
	for _, i := range row.Defaulted {
		fresh[i].Filled--
		fresh[i].Defaulted++
	}
}

// reject counts a record under the one field that it was rejected by: what the others are worth, nobody has looked.
func (c *fieldCounter) reject(j *schema.Reject, task int64) {
	first, ok := c.first[j.Table]
	for i := first; ok && i < len(c.landed) && c.landed[i].Table == j.Table; i++ {
		if c.landed[i].Field == j.Field {
			c.fresh[i].page(task)
			c.fresh[i].Rejected++
			return
		}
	}
}

// settle takes what is fresh for landed.
func (c *fieldCounter) settle() {
	for i := range c.fresh {
		c.landed[i].add(&c.fresh[i].FieldCount)
		c.landed[i].Pages += c.fresh[i].Pages
	}
	clear(c.fresh)
}

// discard forgets what is fresh.
func (c *fieldCounter) discard() { clear(c.fresh) }

// Fields are the fields of the job's tables, in their order, up to the last commit. They are not to be changed, and
// good until the next commit.
func (r *Run) Fields() []FieldFill { return r.fields.landed }

const fieldSQL = `INSERT INTO field_counts ("table", field, filled, defaulted, empty, rejected)
	VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT ("table", field) DO UPDATE SET
	filled = filled + excluded.filled, defaulted = defaulted + excluded.defaulted,
	empty = empty + excluded.empty, rejected = rejected + excluded.rejected`

// countFields writes what is fresh.
func (r *Run) countFields(ctx context.Context) error {
	for i := range r.fields.fresh {
		f := &r.fields.fresh[i].FieldCount
		if *f == (FieldCount{}) {
			continue
		}
		name := &r.fields.landed[i]
		_, err := r.stmts.field.ExecContext(ctx, name.Table, name.Field, f.Filled, f.Defaulted, f.Empty, f.Rejected)
		if err != nil {
			return fmt.Errorf("count the fields of %s: %w", name.Table, err)
		}
	}
	return nil
}

// fieldID is what a field is known by: names of columns do not differ in their case alone.
func fieldID(table, field string) string { return strings.ToLower(table + "." + field) }

// readFields reads what earlier runs counted. changed: the job was another then.
func (r *Run) readFields(ctx context.Context, changed bool) error {
	counts, err := fieldCounts(ctx, r.conn)
	if err != nil {
		return err
	}
	r.fields.first = map[string]int{}
	for _, t := range r.tables {
		r.fields.first[t.Name] = len(r.fields.landed)
		for i := range t.Fields {
			f := FieldFill{FieldCount: FieldCount{Table: t.Name, Field: t.Fields[i].Name}}
			have := counts[fieldID(f.Table, f.Field)]
			f.add(&have)
			if !changed && f.Filled == 0 && f.Read()+f.Rejected > 0 {
				if f.Pages, err = r.filledPages(ctx, &f); err != nil {
					return err
				}
			}
			r.fields.landed = append(r.fields.landed, f)
		}
	}
	r.fields.fresh = make([]freshFill, len(r.fields.landed))
	return nil
}

// recordsLooked is how many records filledPages looks at, at the most.
const recordsLooked = 100_000

// filledPages counts the pages that a field was seen on, up to FillPages: those of as many of the last records as were
// read since there is the field, and of the records that it rejected.
func (r *Run) filledPages(ctx context.Context, f *FieldFill) (n int64, err error) {
	q := fmt.Sprintf(`SELECT count(*) FROM (SELECT DISTINCT task FROM (
		SELECT * FROM (SELECT _task AS task FROM %s ORDER BY _seq DESC LIMIT ?)
		UNION ALL SELECT task FROM rejects WHERE ? AND "table" = ? AND instr(reason, ?) = 1) LIMIT ?)`, quote(f.Table))
	row := r.conn.QueryRowContext(ctx, q, min(f.Read(), recordsLooked), f.Rejected > 0, f.Table, f.Field+": ", FillPages)
	if err = row.Scan(&n); err != nil {
		err = fmt.Errorf("count the pages of %s: %w", f.Table, err)
	}
	return n, err
}

// fieldCounts reads the table, by fieldID.
func fieldCounts(ctx context.Context, q querier) (map[string]FieldCount, error) {
	rows, err := q.QueryContext(ctx, `SELECT "table", field, filled, defaulted, empty, rejected FROM field_counts`)
	if err != nil {
		return nil, fmt.Errorf("read the counts of fields: %w", err)
	}
	defer rows.Close()
	counts := map[string]FieldCount{}
	for rows.Next() {
		var c FieldCount
		if err := rows.Scan(&c.Table, &c.Field, &c.Filled, &c.Defaulted, &c.Empty, &c.Rejected); err != nil {
			return nil, fmt.Errorf("read the counts of fields: %w", err)
		}
		have := counts[fieldID(c.Table, c.Field)] // of another spelling
		c.add(&have)
		counts[fieldID(c.Table, c.Field)] = c
	}
	return counts, rows.Err()
}
