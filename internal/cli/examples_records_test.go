package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dogear/internal/practice"
)

// tables is the records of one table or of several.
type tables = map[string]func(site string) []string

// eventsEnd is the last but one page of events.
var eventsEnd = "/v1/events?after=" + url.QueryEscape(practice.EventCursor(60))

// examples has a case for each file.
var examples = map[string]example{
	"movies":    {large: "{1..20}", small: "{1..4}", hangs: "/page/4", tables: tables{"movies": movieRecords}},
	"products":  {large: "1..50000", small: "1..60", hangs: "/v1/product/7", tables: tables{"products": productRecords}},
	"shop":      {hangs: "/detail/39", tables: tables{"products": shopRecords}},
	"catalogue": {hangs: "/shop/list?page=4", tables: tables{"catalogue": catalogueRecords}},
	"script":    {large: "{1..500}", small: "{1..40}", tables: tables{"script": scriptRecords}},
	"events":    {hangs: eventsEnd, tables: tables{"events": eventRecords}},
	"sitemap":   {hangs: "/detail/39", tables: tables{"sitemap": sitemapRecords}},
	"lookup":    {beside: []string{"ids.csv"}, tables: tables{"lookup": lookupRecords}},
	"gbk":       {tables: tables{"gbk": gbkRecords}},
	"orders":    {large: "{1..40}", small: "{1..4}", tables: tables{"orders": orderRecords, "lines": lineRecords}},
}

// record is the values of one as rows has them.
func record(values ...any) string { return strings.TrimSuffix(fmt.Sprintln(values...), "\n") }

// each makes the records of the things with the numbers 1 to n.
func each(n int64, of func(id int64) string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = of(int64(i) + 1)
	}
	return all
}

// stored is a moment as the state file keeps it.
func stored(text string) any {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UnixMilli()
		}
	}
	return nil
}

func movieRecords(site string) []string {
	return each(examplesItems, func(id int64) string {
		p := practice.ProductAt(id)
		return record(p.Name, p.Score, site+p.URL)
	})
}

func productRecords(string) []string {
	return each(examplesProducts, func(id int64) string {
		p := practice.ProductAt(id)
		rating := p.Rating
		switch rating {
		case "":
			rating = "0.00"
		case "5.37":
			rating = "5.00"
		}
		name := strings.NewReplacer("<", "", ">", "").Replace(p.Name)
		return record(id, name, p.Price, p.Stock, p.Category, rating, "when fetched")
	})
}

func shopRecords(site string) []string {
	return each(examplesItems, func(id int64) string {
		p := practice.ProductAt(id)
		return record(site+p.URL, p.Name, p.Price, p.Score)
	})
}

func catalogueRecords(string) []string {
	return each(examplesItems, func(id int64) string {
		i := practice.ShopItemAt(id)
		listPrice := strings.NewReplacer("¥", "", ",", "").Replace(i.ListPrice)
		tags := strings.Join(i.Tags, ", ")
		return record(i.SKU, i.Name, i.Price, listPrice, i.Category, tags, i.Description, stored(i.Updated))
	})
}

func scriptRecords(string) []string {
	return each(examplesItems, func(id int64) string {
		i := practice.ShopItemAt(id)
		return record(i.SKU, i.Name, i.Price, i.Stock, strings.Join(i.Tags, ", "), "练习旗舰店 Practice", i.Score, stored(i.Updated))
	})
}

func eventRecords(string) []string {
	return each(examplesEvents, func(n int64) string {
		e := practice.EventAt(n)
		return record(e.ID, stored(e.At), e.Title, e.Amount)
	})
}

func sitemapRecords(site string) []string {
	return each(examplesItems, func(id int64) string {
		p := practice.ProductAt(id)
		return record(site+p.URL, p.Name, p.Price, stored(practice.LastModified(id)))
	})
}

func lookupRecords(string) (all []string) {
	f := must(os.Open(filepath.Join(examplesDir, "ids.csv")))
	defer f.Close()
	for _, line := range must(csv.NewReader(f).ReadAll())[1:] {
		var id int64
		must(fmt.Sscan(line[0], &id))
		p := practice.ProductAt(id)
		all = append(all, record(id, p.Name, p.Price, line[1], line[2], string(must(json.Marshal(p.Tags)))))
	}
	return all
}

func gbkRecords(string) []string {
	return each(examplesItems, func(id int64) string {
		i := practice.GBKItemAt(id)
		return record(id, i.Name, i.Amount, stored(i.Local), i.Category, "正品保证，支持７天无理由退货。朱镕基、囍字、𠮷野家、㐂寿司。")
	})
}

func orderRecords(string) []string {
	return each(examplesPages*practice.OrderItems, func(n int64) string {
		o := practice.OrderAt(n)
		return record(o.ID, stored(o.Placed), o.Status, o.Total)
	})
}

func lineRecords(site string) (all []string) {
	for n := range int64(examplesPages * practice.OrderItems) {
		o := practice.OrderAt(n + 1)
		for i, l := range o.Lines {
			all = append(all, record(o.ID, i+1, l.Name, fmt.Sprint(site, "/shop/item/", l.Item), l.Quantity, l.Price))
		}
	}
	return all
}
