package schema

import "testing"

func TestAKeyIsMethodAndURL(t *testing.T) {
	for _, c := range []struct {
		request Request
		want    string
	}{
		{Request{URL: "HTTPS://a.example/x#y"}, "GET https://a.example/x"},
		{Request{URL: "https://a.example/x", Method: "GET", Page: "listing"}, "GET https://a.example/x"},
		{Request{URL: "https://a.example/x", Method: "HEAD"}, "HEAD https://a.example/x"},
		{Request{URL: "https://a.example/x", Method: "POST", Body: `{"page":1}`},
			"POST https://a.example/x 70fb0185588d2e765454a7927f2792ae"},
	} {
		if got := c.request.Key(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// crawlee #778, #232: every POST to a search form but the first was dropped as a duplicate.
func TestPOSTsOfDifferentBodiesAreDifferentTasks(t *testing.T) {
	search := Request{URL: "https://a.example/search", Method: "POST", Body: "page=1"}
	next := search
	next.Body = "page=2"
	get := Request{URL: search.URL}
	if search.Key() == next.Key() || search.Key() == get.Key() {
		t.Errorf("%s, %s and %s are three requests", search.Key(), next.Key(), get.Key())
	}
	if again := search; again.Key() != search.Key() {
		t.Error("the same POST has two keys")
	}
}
