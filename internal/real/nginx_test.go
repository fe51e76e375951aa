package real

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"dogear/crawl/fetch"
)

// A limit that answers 429 costs no attempt however often it says so; one that answers 503 costs some.
func TestACrawlGetsThroughTheLimitOfAnNginx(t *testing.T) {
	for _, status := range []int{429, 503} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := nginx(t, "limit_req_zone $binary_remote_addr zone=z:1m rate=40r/s;", fmt.Sprintf(
				`limit_req zone=z; limit_req_status %d; location / { root DIR; default_type text/plain; try_files /nginx.conf =404; }`, status))
			c := newCrawl(t, fmt.Sprintf(`
start: http://%s/page/{1..60}
rate: none
concurrency: 4
retry: {attempts: 50, delay: 20ms, max_delay: 200ms}
records: {fields: {url: {meta: url}}}
`, s.Address()))
			c.run(nil)
			c.want("60", `SELECT count(DISTINCT url) FROM real`)
			c.want("1", fmt.Sprintf(`SELECT count(*) > 0 FROM attempts WHERE status = %d`, status))
			if status == 429 {
				c.want("1", `SELECT max(attempts) FROM tasks`)
			}
		})
	}
}

// The upstream dies in the middle of its answer, and nginx hands on what it has, as it is or compressed.
func TestABodyThatAnNginxCutsIsNeverAPage(t *testing.T) {
	text := bytes.Repeat([]byte("<p>0123456789</p>\n"), 20_000)
	var asked atomic.Int64
	up := upstream(t, func(conn net.Conn) {
		head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
		dies := asked.Add(1)%3 != 0
		switch {
		case dies && asked.Load()%2 == 0:
			_, _ = fmt.Fprintf(conn, "%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", head, len(text), text[:len(text)/2])
		case dies:
			_, _ = fmt.Fprintf(conn, "%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", head, len(text)/2, text[:len(text)/2])
		default:
			_, _ = fmt.Fprintf(conn, "%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", head, len(text), text)
		}
	})
	for name, config := range map[string]string{"as it is": "", "compressed": "gzip on; gzip_min_length 1; gzip_comp_level 1;", "unbuffered": "proxy_buffering off;"} {
		t.Run(name, func(t *testing.T) {
			s := nginx(t, "", config+" location / { proxy_http_version 1.1; proxy_pass "+up+"; }")
			c := client(t, fetch.Options{Attempts: 5})
			for range 6 {
				result := ask(c, fetch.Request{URL: "http://" + s.Address() + "/"})
				if result.Page == nil || !bytes.Equal(result.Page.Body, text) {
					t.Fatalf("%+v, %v", result, result.Failure)
				}
				for _, f := range result.Failed {
					if f.Kind != fetch.Network && f.Kind != fetch.Server {
						t.Errorf("%+v", f)
					}
				}
			}
		})
	}
}

func TestAnNginxSpeaksHTTP2(t *testing.T) {
	s := nginx(t, "", `ssl_certificate CERT; ssl_certificate_key CERT; gzip on; gzip_min_length 1; location / { default_type text/html; return 200 "$server_protocol $http_cookie"; }
		location /set { add_header Set-Cookie "a=1; Path=/; Secure"; return 302 /; }`)
	c := client(t, fetch.Options{})
	if p := page(t, c, "https://"+s.Address()+"/set"); strings.TrimSpace(string(p.Body)) != "HTTP/2.0 a=1" {
		t.Errorf("%s", p.Body)
	}
}

func TestAnUpstreamThatIsGoneIsAServerFailure(t *testing.T) {
	up := upstream(t, func(net.Conn) {})
	s := nginx(t, "", "location / { proxy_pass "+up+"; }")
	result := ask(client(t, fetch.Options{Attempts: 2}), fetch.Request{URL: "http://" + s.Address()})
	if result.Failure == nil || result.Failure.Kind != fetch.Server || result.Failure.Status != 502 || result.Made != 2 {
		t.Errorf("%+v, %v", result, result.Failure)
	}
}
