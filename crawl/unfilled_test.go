package crawl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

// sparseJob has fields that no product fills: without a value, with a default, and not to be warned of.
const sparseJob = `
start: {url: "SITE/v1/product/{id}", id: 1..%d}
rate: none
limits: {failures: 100%%}
records:
  table: products
  key: id
  fields:
    id: {json: $.id, type: int}
    brand: $.brand
    stars: {json: $.stars, type: int, default: 0}
    unreadable: {json: $.name, type: int}
    rating: $.rating
    nothing: {value: ""}
`

const shelfJob = `
start: "SITE/page/{1..%d}"
rate: none
records: {table: books, each: .item, key: url, fields: {url: {css: a.name@href, type: url}, isbn: .isbn@title}}
`

const rejectingJob = `
start: {url: "SITE/v1/product/{id}", id: 1..%d}
rate: none
limits: {failures: 100%%}
records: {table: products, fields: {isbn: {json: $.isbn, required: true}, brand: $.brand}}
`

func TestAFieldThatIsNeverFilledIsSaid(t *testing.T) {
	never := func(field, selector string, pages int) string {
		return fmt.Sprintf("%s was never filled in the first %d pages: its selector `%s` may be wrong "+
			"(dogear try JOB shows it)", field, pages, selector)
	}
	sparse := func(pages int) []string {
		return []string{
			never("products.brand", "$.brand", pages), never("products.stars", "$.stars", pages),
			never("products.unreadable", "$.name", pages),
		}
	}
	rejects := func(pages int) []string {
		return []string{fmt.Sprintf("every record of the first %d pages was rejected because of products.isbn: "+
			"its selector `$.isbn` may be wrong (dogear try JOB shows it)", pages)}
	}
	isbn := func(pages int) []string { return []string{never("books.isbn", ".isbn@title", pages)} }
	for _, c := range []struct {
		name  string
		job   string
		pages int
		runs  []int64 // how many tasks each run may claim; 0: the rest
		warns [][]string
		ends  [][]string
	}{
		{"once, when a hundred pages say so", sparseJob, 240, []int64{0}, [][]string{sparse(100)}, [][]string{nil}},
		{"at the end of a smaller crawl", sparseJob, 99, []int64{0}, [][]string{nil}, [][]string{sparse(99)}},
		{"not of four pages", sparseJob, 4, []int64{0}, [][]string{nil}, [][]string{nil}},
		{"by the pages of all runs", sparseJob, 130, []int64{60, 0},
			[][]string{nil, sparse(100)}, [][]string{sparse(60), nil}},
		{"again by the next run, if it is so still", sparseJob, 240, []int64{120, 0},
			[][]string{sparse(100), sparse(100)}, [][]string{nil, nil}},
		{"not by a run that has nothing to do", sparseJob, 120, []int64{0, 0},
			[][]string{sparse(100), nil}, [][]string{nil, nil}},
		{"by pages, not by records", shelfJob, 20, []int64{0}, [][]string{nil}, [][]string{isbn(20)}},
		{"if it rejects all there is", rejectingJob, 120, []int64{0}, [][]string{rejects(100)}, [][]string{nil}},
		{"if it rejects all of a smaller crawl", rejectingJob, 12, []int64{0}, [][]string{nil}, [][]string{rejects(12)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, practice.Options{}, fmt.Sprintf(c.job, c.pages))
			var warns, ends [][]string
			for _, limit := range c.runs {
				var warned, ended []string
				o := crawl.Options{Limit: limit, Warn: func(text string) { warned = append(warned, text) }}
				want := state.Finished
				if limit > 0 {
					want = state.Stopped
				}
				for _, u := range b.run(want, o).Unfilled {
					ended = append(ended, u.String())
				}
				warns, ends = append(warns, warned), append(ends, ended)
			}
			if diff := cmp.Diff(c.warns, warns); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.ends, ends); diff != "" {
				t.Errorf("in the summary (-want +got):\n%s", diff)
			}
		})
	}
}

// The selector was mended: what the pages of before say counts no more.
func TestAFieldThatWasMendedIsNotSaid(t *testing.T) {
	b := newBench(t, practice.Options{}, fmt.Sprintf(sparseJob, 240))
	b.run(state.Stopped, crawl.Options{Limit: 120})
	b.edit(replace(fmt.Sprintf(sparseJob, 240), "brand: $.brand", "brand: $.category"))
	var warned []string
	s := b.run(state.Finished, crawl.Options{Accept: true, Warn: func(text string) { warned = append(warned, text) }})
	if text := fmt.Sprint(warned, s.Unfilled); len(warned) != 2 || strings.Contains(text, "products.brand") {
		t.Errorf("it says %s", text)
	}
	b.want("120 0 120", `SELECT filled, defaulted, empty FROM field_counts WHERE field = 'brand'`)
}
