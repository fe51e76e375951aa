package bench

import (
	"bufio"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

var mysqlRows = flag.Int64("bench.rows", 200_000, "products that BenchmarkMySQL sends")

// BenchmarkMySQL compares `dogear export mysql` with LOAD DATA LOCAL INFILE, the fastest way to fill a table that MySQL has,
// of a file that is there already, into the same table: rows/s of the one divided by the other's.
func BenchmarkMySQL(b *testing.B) {
	l := newLoad(b, *mysqlRows)
	var ratios []float64
	var sends, loads []time.Duration
	for i := range *rounds {
		var send, load time.Duration
		if i%2 == 0 {
			send, load = l.byExport(b), l.byFile(b)
		} else {
			load, send = l.byFile(b), l.byExport(b)
		}
		sends, loads = append(sends, send), append(loads, load)
		ratios = append(ratios, load.Seconds()/send.Seconds())
	}
	perSecond := func(took []time.Duration) float64 {
		return float64(l.rows) / median(seconds(took))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ratios), "ratio-median")
	b.ReportMetric(slices.Min(ratios), "ratio-min")
	b.ReportMetric(slices.Max(ratios), "ratio-max")
	b.ReportMetric(perSecond(sends), "export-rows/s")
	b.ReportMetric(perSecond(loads), "load-rows/s")
	b.Logf("%d rows: export %v, LOAD DATA %v, ratios %.2f", l.rows, sends, loads, ratios)
}

func TestExportAndLoadDataFillTheSameTable(t *testing.T) {
	l := newLoad(t, 2000)
	if l.byExport(t) <= 0 || l.byFile(t) <= 0 {
		t.Error("not measured")
	}
}

// load is a state file, the same rows as a file for LOAD DATA, and a table for both.
type load struct {
	rows     int64
	job, dsn string
	file     string
	db       *sql.DB
	sum      string
}

func newLoad(tb testing.TB, n int64) *load {
	tb.Helper()
	server := testenv.MySQL(tb)
	l := &load{rows: n, dsn: server.DSN(tb), file: filepath.Join(tb.TempDir(), "products.tsv")}
	admin := server.Open(tb)
	defer admin.Close()
	if _, err := admin.Exec("SET GLOBAL local_infile = 1"); err != nil {
		tb.Fatal(err)
	}
	w := work{url: site(tb, practice.Options{Products: n, Quiet: true}, anyCPU), tasks: n, workers: 64, cpu: anyCPU}
	l.job = w.writeJob(tb)
	process{role: dogearRole, args: []string{"run", l.job, "--quiet"}, cpu: anyCPU}.run(tb)
	process{role: dogearRole, args: l.export(), cpu: anyCPU}.run(tb) // makes the table
	var err error
	if l.db, err = sql.Open("mysql", l.dsn); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.db.Close() })
	l.sum = l.checksum(tb)
	l.writeFile(tb)
	return l
}

func (l *load) export() []string {
	return []string{"export", "mysql", l.job, "--dsn", l.dsn, "--quiet"}
}

// checksum is of all rows, and how many there are.
func (l *load) checksum(tb testing.TB) string {
	tb.Helper()
	var text string
	var n int64
	err := l.db.QueryRow(`SELECT COUNT(*), CONCAT(COUNT(*), ' ', SUM(CRC32(CONCAT_WS('|', product_id, name, price, stock, category, rating, update_time, _task, _fetched_at))))
		FROM products`).Scan(&n, &text)
	if err != nil || n != l.rows {
		tb.Fatalf("%d rows in the table, want %d: %v", n, l.rows, err)
	}
	return text
}

// writeFile writes the table in the form that LOAD DATA reads when it is told nothing: tabs, and \ before what is special.
func (l *load) writeFile(tb testing.TB) {
	tb.Helper()
	f, err := os.Create(l.file)
	if err != nil {
		tb.Fatal(err)
	}
	out := bufio.NewWriter(f)
	rows, err := l.db.Query(`SELECT * FROM products ORDER BY _task`)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	escape := strings.NewReplacer("\\", "\\\\", "\t", "\\t", "\n", "\\n")
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			tb.Fatal(err)
		}
		for i, v := range values {
			if i > 0 {
				out.WriteByte('\t')
			}
			if v.Valid {
				escape.WriteString(out, v.String)
			} else {
				out.WriteString("\\N")
			}
		}
		out.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
}

func (l *load) empty(tb testing.TB) {
	tb.Helper()
	for _, q := range []string{"TRUNCATE TABLE products", "DELETE FROM dogear_exports"} {
		if _, err := l.db.Exec(q); err != nil {
			tb.Fatal(err)
		}
	}
}

func (l *load) byExport(tb testing.TB) time.Duration {
	tb.Helper()
	l.empty(tb)
	u := process{role: dogearRole, args: l.export(), cpu: anyCPU}.run(tb)
	if sum := l.checksum(tb); sum != l.sum {
		tb.Fatalf("the export wrote %s, want %s", sum, l.sum)
	}
	return u.took
}

func (l *load) byFile(tb testing.TB) time.Duration {
	tb.Helper()
	l.empty(tb)
	mysql.RegisterLocalFile(l.file)
	began := time.Now()
	if _, err := l.db.Exec(fmt.Sprintf("LOAD DATA LOCAL INFILE '%s' INTO TABLE products CHARACTER SET utf8mb4", filepath.ToSlash(l.file))); err != nil {
		tb.Fatal(err)
	}
	took := time.Since(began)
	if sum := l.checksum(tb); sum != l.sum {
		tb.Fatalf("LOAD DATA wrote %s, want %s", sum, l.sum)
	}
	return took
}

func seconds(took []time.Duration) []float64 {
	out := make([]float64, len(took))
	for i, d := range took {
		out[i] = d.Seconds()
	}
	return out
}
