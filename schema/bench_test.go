package schema

import "testing"

// productRaw is what the JSON of a product and the time of its fetching hand to Clean.
func productRaw() []Raw {
	json := func(s string) Raw { return Raw{Text: s, Found: true, JSON: true} }
	return []Raw{
		json("12345"), json("Stainless steel kettle 1.7 l"), json("7999.5"), json("120"), json("kitchen"), json("4.65"),
		{Text: "2026-02-04T06:30:00.123456789Z", Found: true},
	}
}

func BenchmarkCleanProduct(b *testing.B) {
	table, raw := productTable(b), productRaw()
	b.ReportAllocs()
	for b.Loop() {
		if _, reject := table.Clean(raw, "https://api.example.com/v1/product/12345"); reject != nil {
			b.Fatal(reject.Reason)
		}
	}
}

// BenchmarkCleanDefaulted is a product of which three fields have their default.
func BenchmarkCleanDefaulted(b *testing.B) {
	table, raw := productTable(b), productRaw()
	raw[2], raw[3], raw[5] = Raw{}, Raw{}, Raw{}
	b.ReportAllocs()
	for b.Loop() {
		if _, reject := table.Clean(raw, ""); reject != nil {
			b.Fatal(reject.Reason)
		}
	}
}

// BenchmarkCleanScraped is the same product as a page for people shows it.
func BenchmarkCleanScraped(b *testing.B) {
	table := productTable(b)
	raw := []Raw{found("12345"), found("<Kettle> “Größe” 1,7 l"), found("￥ 7,999.50"), found("120"), found("厨房"), found("4.651"),
		found("2026年2月4日 14:30")}
	raw[5].JSON = true
	b.ReportAllocs()
	for b.Loop() {
		if _, reject := table.Clean(raw, ""); reject != nil {
			b.Fatal(reject.Reason)
		}
	}
}

func BenchmarkKeyURL(b *testing.B) {
	for name, url := range map[string]string{
		"plain":  "https://api.example.com/v1/product/12345?lang=en",
		"parsed": "https://API.example.com:443/v1/../product/12345?q=价",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				KeyURL(url)
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	for name, ref := range map[string]string{"rooted": "/p/12345", "relative": "p/12345"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Resolve("https://shop.example/list/1", ref); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
