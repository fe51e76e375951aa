package job

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"dogear/schema"

	"github.com/google/go-cmp/cmp"
)

func example(t *testing.T, name string) *Job {
	t.Helper()
	return parsed(t, "../../testdata/jobs/"+name+".yaml")
}

func parsed(t *testing.T, path string) *Job {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	job, err := Parse(path, text, func(name string) (string, bool) { return "k3y", name == "API_KEY" })
	if err != nil {
		t.Fatal(err)
	}
	if string(job.Text) != string(text) {
		t.Error("Text is not the file as given")
	}
	return job
}

// fields shows a table as "name type source".
func fields(r Records) (all []string) {
	for i, f := range r.Table.Fields {
		s := r.Sources[i]
		source := s.CSS + s.JSON + s.Meta
		if s.Attr != "" {
			source += "@" + s.Attr
		}
		all = append(all, f.Name+" "+f.Type.String()+" "+source)
	}
	return all
}

func TestTheMoviesExampleMeansWhatItSays(t *testing.T) {
	job := example(t, "movies")
	if job.Name != "movies" || len(job.Starts) != 1 || job.Starts[0].Total() != 20 || len(job.Pages) != 1 {
		t.Fatalf("%+v", job)
	}
	if job.Rate != (Rate{5, 1, Smooth, time.Second}) || job.Concurrency != (Concurrency{16, 16}) || job.Timeout != 30*time.Second {
		t.Errorf("%+v %v %v", job.Rate, job.Concurrency, job.Timeout)
	}
	if job.Retry != (Retry{4, time.Second, time.Minute, 10 * time.Minute}) || job.Limits != (Limits{Body: 10_000_000, Failures: 0.5}) {
		t.Errorf("%+v %+v", job.Retry, job.Limits)
	}
	page := job.Pages[0]
	if page.Name != "page" || len(page.Records) != 1 || !slices.Equal(page.Records[0].Each, []Selector{{CSS: ".item"}}) {
		t.Fatalf("%+v", page)
	}
	table := page.Records[0].Table
	if table.Name != "movies" || !cmp.Equal(table.Key, []string{"url"}) || len(job.Tables()) != 1 || job.Tables()[0] != table {
		t.Errorf("%+v", table)
	}
	if diff := cmp.Diff([]string{"title text h2", "score decimal(3,1) .score", "url url a.name@href"}, fields(page.Records[0])); diff != "" {
		t.Error(diff)
	}
}

func TestTheProductsExampleMeansWhatItSays(t *testing.T) {
	job := example(t, "products")
	if diff := cmp.Diff([]Header{{"Authorization", "Bearer k3y"}}, job.Headers); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(string(job.Text), "k3y") || strings.Contains(job.Starts[0].Entry(), "k3y") {
		t.Error("the key is in what is stored")
	}
	if job.Rate != (Rate{500, 1000, Bucket, time.Second}) || job.Concurrency != (Concurrency{1000, 1000}) {
		t.Errorf("%+v %v", job.Rate, job.Concurrency)
	}
	start := &job.Starts[0]
	if start.Total() != 50_000 || start.Request(0).URL == "https://api.example.com/v1/product/1" && start.Request(1).URL == "https://api.example.com/v1/product/2" {
		t.Errorf("%d %v", start.Total(), start.Request(0))
	}
	rec := job.Pages[0].Records[0]
	want := []string{"product_id int $.id", "name text $.name", "price decimal(10,2) $.price", "stock int $.stock",
		"category text $.category", "rating decimal(3,2) $.rating", "update_time datetime fetched_at"}
	if diff := cmp.Diff(want, fields(rec)); diff != "" {
		t.Error(diff)
	}
	name, rating := rec.Table.Fields[1], rec.Table.Fields[5]
	if !name.Required || *name.Max != "255" || name.Remove.String() != "[<>]" || name.Default != nil {
		t.Errorf("%+v", name)
	}
	if rating.Required || !rating.Clamp || *rating.Min != "0" || *rating.Max != "5" || *rating.Default != "0" {
		t.Errorf("%+v", rating)
	}
}

func TestTheShopExampleMeansWhatItSays(t *testing.T) {
	job := example(t, "shop")
	if job.Starts[0].Request(0) != (schema.Request{URL: "https://shop.example/list", Page: "listing"}) {
		t.Errorf("%+v", job.Starts[0].Request(0))
	}
	listing, ok := job.Page("listing")
	if !ok || len(listing.Follow) != 1 || len(listing.Records) != 0 {
		t.Fatalf("%+v", listing)
	}
	if n := listing.Next; n.CSS != "a.next" || n.Attr != "href" || n.Within != WithinHost {
		t.Errorf("%+v", n)
	}
	if f := listing.Follow[0]; f.CSS != "a.name" || f.Attr != "href" || f.Page != "product" || f.Within != WithinHost || f.Depth != 0 {
		t.Errorf("%+v", f)
	}
	product, ok := job.Page("product")
	if !ok || len(product.Records) != 1 {
		t.Fatalf("%+v", product)
	}
	one := 1
	if diff := cmp.Diff(Expect{Status: []int{200}, Contains: "h1", Absent: "form#captcha", Records: &one}, product.Expect); diff != "" {
		t.Error(diff)
	}
	if job.Limits != (Limits{Body: 10_000_000, Tasks: 100_000, Failures: 0.5}) {
		t.Errorf("%+v", job.Limits)
	}
	if _, ok := job.Page("page"); ok {
		t.Error("there is a page that the file does not have")
	}
}
