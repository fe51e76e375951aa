package export

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAJoinedListIsPartedWhereANewEntryBegins(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"URLs", "https://a/1,https://a/2", []string{"https://a/1", "https://a/2"}},
		{"with spaces", "https://a/1, https://a/2 ,\n https://a/3", []string{"https://a/1", "https://a/2",
			"https://a/3"}},
		{"commas in URLs", "https://a/1,b,c?x=1,2,https://a/d,e", []string{"https://a/1,b,c?x=1,2", "https://a/d,e"}},
		{"numbers at the end of a URL", "https://a/?ids=1,2", []string{"https://a/?ids=1,2"}},
		{"ids", "1,2, 3,", []string{"1", "2", "3"}},
		{"ids, then URLs", "1,2,https://a/3", []string{"1", "2", "https://a/3"}},
		{"lines", "https://a/1\r\nhttps://a/2\n", []string{"https://a/1", "https://a/2"}},
		{"str() of a list", "['https://a/1', 'https://a/2,x']", []string{"https://a/1", "https://a/2,x"}},
		{"str() of a set", "{'https://a/1', 'https://a/(2)'}", []string{"https://a/1", "https://a/(2)"}},
		{"str() of a list of ids", "['1', '2']", []string{"1", "2"}},
		{"nothing", "", nil}, {"None", "None", nil}, {"null", "null", nil},
		{"a JSON array", `["https://a/1", 2]`, []string{"https://a/1", "2"}},
		{"a JSON array that is cut", `["https://a/1", "https://a/2", "htt`, []string{"https://a/1", "https://a/2",
			"(the text is cut off here)"}},
		{"empty entries", "https://a/1,,https://a/2", []string{"https://a/1", "https://a/2"}},
		{"other schemes", "https://a/1,ftp://a/2", []string{"https://a/1", "ftp://a/2"}},
		{"commas alone", strings.Repeat(",", 1_000_000), nil},
		{"commas in between", "1" + strings.Repeat(",", 1_000_000) + "2", []string{"1", "2"}},
		{"brackets behind", "x" + strings.Repeat(")", 1_000_000), []string{"(longer than a URL can be)"}},
		{"brackets alone", strings.Repeat("]", 1_000_000), nil},
		{"one of many letters", "https://a/1," + strings.Repeat("x", 1000) + ",https://a/2", []string{"https://a/1," +
			strings.Repeat("x", 1000), "https://a/2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, split(t, c.text, false)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	want := []string{"https://a/1", "(the last entry of a text that is as long as its place allows: it may be half)"}
	if diff := cmp.Diff(want, split(t, "https://a/1,https://a/2", true)); diff != "" {
		t.Errorf("the last one of a text that was cut (-want +got)\n%s", diff)
	}
}

func split(t *testing.T, text string, cut bool) (got []string) {
	t.Helper()
	out := only(FinishedList, func(e Entry) error { got = append(got, e.Text); return nil },
		func(d Damage) { got = append(got, "("+d.What+")") })
	if err := joined(text, Place{Key: "finished_urls", Index: -1}, cut, out); err != nil {
		t.Fatal(err)
	}
	return got
}
