package real

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"dogear/crawl/fetch"
)

// value is a field of an answer of httpbin's.
func value(t *testing.T, p *fetch.Page, name string) any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(p.Body, &all); err != nil {
		t.Fatalf("%v in %s", err, p.Body)
	}
	return all[name]
}

func TestHTTPBinStatusesAndRedirects(t *testing.T) {
	bin := httpbin(t)
	c := client(t, fetch.Options{Attempts: 2, LeaseWait: time.Millisecond})
	for path, kind := range map[string]fetch.Kind{
		"/status/400": fetch.ClientFault, "/status/404": fetch.ClientFault, "/status/408": fetch.Timeout,
		"/status/500": fetch.Server,
		"/status/502": fetch.Server, "/status/418": fetch.ClientFault, "/redirect/12": fetch.ClientFault,
	} {
		result := ask(c, fetch.Request{URL: bin + path, Made: 1})
		if result.Failure == nil || result.Failure.Kind != kind || result.Made != 1 {
			t.Errorf("%s: %+v, %v", path, result, result.Failure)
		}
	}
	if result := ask(c, fetch.Request{URL: bin + "/status/429"}); result.Made != 0 || result.RetryAt.IsZero() {
		t.Errorf("429: %+v", result)
	}
	for _, path := range []string{"/redirect/5", "/absolute-redirect/3", "/relative-redirect/10",
		"/redirect-to?url=get&status_code=308"} {
		if p := page(t, c, bin+path); p.URL != bin+"/get" {
			t.Errorf("%s leads to %s", path, p.URL)
		}
	}
	keeps := fetch.Request{URL: bin + "/redirect-to?status_code=307&url=" + url.QueryEscape("/post"), Method: "POST",
		Body: "a=b", ContentType: "application/x-www-form-urlencoded"}
	if result := ask(c, keeps); result.Page == nil || fmt.Sprint(value(t, result.Page, "form")) != "map[a:b]" {
		t.Errorf("307: %+v, %v", result, result.Failure)
	}
}

func TestHTTPBinCodingsAndCharset(t *testing.T) {
	bin := httpbin(t)
	c := client(t, fetch.Options{})
	for path, field := range map[string]string{"/gzip": "gzipped", "/deflate": "deflated", "/brotli": "brotli"} {
		p := page(t, c, bin+path)
		if value(t, p, field) != true || !strings.Contains(fmt.Sprint(value(t, p, "headers")), "gzip, deflate, br, zstd") {
			t.Errorf("%s: %s", path, p.Body)
		}
	}
	if p := page(t, c, bin+"/encoding/utf8"); p.Charset != "utf-8" || p.CharsetFrom != "header" || p.Replaced > 0 {
		t.Errorf("%s from %s: %s", p.Charset, p.CharsetFrom, p.Body)
	}
	if p := page(t, c, bin+"/stream-bytes/70000?chunk_size=999"); p.Size != 70000 {
		t.Errorf("%d bytes", p.Size)
	}
}

func TestHTTPBinDripsUpToTheDeadline(t *testing.T) {
	bin := httpbin(t)
	if p := page(t, client(t, fetch.Options{}), bin+"/drip?numbytes=10&duration=1"); p.Size != 10 {
		t.Errorf("%d bytes", p.Size)
	}
	c := client(t, fetch.Options{Timeout: 500 * time.Millisecond, Attempts: 1})
	for _, path := range []string{"/drip?numbytes=10&duration=8", "/delay/3"} {
		if result := ask(c, fetch.Request{URL: bin + path}); result.Failure == nil || result.Failure.Kind != fetch.Timeout {
			t.Errorf("%s: %+v", path, result)
		}
	}
}

func TestHTTPBinCookiesOutliveTheClient(t *testing.T) {
	bin := httpbin(t)
	first := client(t, fetch.Options{})
	if got := fmt.Sprint(value(t, page(t, first, bin+"/cookies/set?a=1&b=two+words"),
		"cookies")); got != "map[a:1 b:two words]" {
		t.Errorf("after a redirect: %s", got)
	}
	second := client(t, fetch.Options{})
	second.Recall(first.Cookies(time.Now()), time.Now())
	if got := fmt.Sprint(value(t, page(t, second, bin+"/cookies/delete?a"), "cookies")); got != "map[b:two words]" {
		t.Errorf("in another run: %s", got)
	}
}

func TestHTTPBinCredentialsGoWhereTheyWereWrittenForOnly(t *testing.T) {
	bin := httpbin(t)
	page(t, client(t, fetch.Options{}), strings.Replace(bin, "://", "://ann:p%40ss@", 1)+"/basic-auth/ann/p@ss")
	basic := client(t, fetch.Options{Headers: []fetch.Header{{Name: "Authorization", Value: "Basic YW5uOnB3"}}})
	page(t, basic, bin+"/basic-auth/ann/pw")
	bearer := client(t, fetch.Options{Headers: []fetch.Header{{Name: "Authorization", Value: "Bearer swordfish"}}})
	if p := page(t, bearer, bin+"/redirect-to?url=/bearer"); value(t, p, "token") != "swordfish" {
		t.Errorf("the same host: %s", p.Body)
	}
	other := strings.Replace(bin, "127.0.0.1", "localhost", 1) + "/headers"
	if p := page(t, bearer, bin+"/redirect-to?url="+url.QueryEscape(other)); strings.Contains(string(p.Body),
		"swordfish") {
		t.Errorf("another host: %s", p.Body)
	}
	if result := ask(client(t, fetch.Options{}), fetch.Request{URL: bin + "/bearer"}); result.Failure == nil ||
		result.Failure.Status != 401 {
		t.Errorf("nobody: %+v", result)
	}
}

func TestHTTPBinEchoesEveryPOSTOfACrawl(t *testing.T) {
	t.Setenv("KEY", "hunter2hunter2")
	c := newCrawl(t, strings.ReplaceAll(`
start:
  - {url: BIN/post, page: 1..20, request: {json: {page: "{page}", big: 12345678901234567890, key: "${KEY}"}}}
  - {url: BIN/anything, q: [a b, "中&=", 7], request: {method: PUT, form: {q: "{q}", key: "${KEY}"}}}
rate: none
records:
  fields: {data: $.data, page: {json: $.json.page, type: int}, q: {json: $.form.q}, key: {json: $.form.key},
    method: {json: $.method}}
`, "BIN", httpbin(t)))
	c.run(nil)
	c.want("23", `SELECT count(*) FROM tasks WHERE state = 'done'`)
	c.want("210", `SELECT sum(page) FROM real`)
	c.want(`{"page":3,"big":12345678901234567890,"key":"${KEY}"}`, `SELECT data FROM real WHERE page = 3`)
	c.want("PUT ${KEY} 中&=", `SELECT method || ' ' || key || ' ' || q FROM real WHERE q LIKE '中%'`)
}
