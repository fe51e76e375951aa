package extract

import (
	"testing"

	"dogear/schema"
)

func TestAPageThatIsNotAsExpectedIsBlocked(t *testing.T) {
	one, three := 1, 3
	items := rows(t, "li", text("name", Source{}))
	object := rows(t, "", typed("id", schema.Int, js("$.id")))
	need := rows(t, "", column{schema.Field{Name: "id", Required: true}, js("$.id")})
	for _, c := range []struct {
		name   string
		expect Expect
		rule   Records
		body   string
		says   string // "" when the page is good
	}{
		{"a status that is accepted", Expect{Status: []int{200, 203}}, items, "<li>", ""},
		{"a status that is not", Expect{Status: []int{203}}, items, "<li>", "expected status [203], got 200"},
		{"contains, and it does", Expect{Contains: "ul > li"}, items, "<ul><li></ul>", ""},
		{"contains, and it does not", Expect{Contains: "h1"}, items, "<li>", `to contain "h1"`},
		{"absent, and it is", Expect{Absent: "form#captcha"}, items, "<form id=other>", ""},
		{"absent, and it is there", Expect{Absent: "form#captcha"}, items, "<form id=captcha>", `"form#captcha" to be absent`},
		{"enough records", Expect{Records: &three}, items, "<li>1<li>2<li>3", ""},
		{"too few", Expect{Records: &three}, items, "<li>1<li>2", "at least 3 records, got 2"},
		{"no valid one", Expect{Records: &one}, need, `{"name":"x"}`, "at least 1 records, got 0 (1 rejected, the first by t.id"},
		{"json contains", Expect{Contains: "$.id"}, object, `{"id":1}`, ""},
		{"json null is there", Expect{Contains: "$.id"}, object, `{"id":null}`, ""},
		{"json does not contain", Expect{Contains: "$.id"}, object, `{"error":1}`, `to contain "$.id"`},
		{"json absent", Expect{Absent: "$.error"}, object, `{"id":1}`, ""},
		{"json not absent", Expect{Absent: "$.error"}, object, `{"error":1}`, `"$.error" to be absent`},
		{"html for json", Expect{Contains: "$.id"}, object, `<html>captcha`, `to contain "$.id"`},
		{"captcha for json", Expect{Absent: "form"}, object, `<form>`, `"form" to be absent`},
		{"no captcha", Expect{Absent: "form"}, object, `{"id":1}`, ""},
		{"html where json records are expected", Expect{Records: &one}, object, `<html>captcha`, "the page is HTML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := compile(t, Options{Records: []Records{c.rule}, Expect: c.expect})
			if c.says != "" {
				wantFailure(t, r, page(c.body), Blocked, c.says)
			} else if _, err := r.Extract(page(c.body)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAMissingPageThatIsExpectedIsDoneWithoutARecord(t *testing.T) {
	one := 1
	r := compile(t, Options{
		Records: []Records{rows(t, "", typed("id", schema.Int, js("$.id")))},
		Expect:  Expect{Status: []int{200, 404, 410}, Contains: "$.id", Records: &one},
	})
	for _, status := range []int{404, 410} {
		p := page("<h1>Not found</h1>")
		p.Status = status
		res, err := r.Extract(p)
		if err != nil || len(res.Rows)+len(res.Rejects)+len(res.Links) > 0 {
			t.Errorf("%d: got %+v, %v, want nothing", status, res, err)
		}
	}
}
