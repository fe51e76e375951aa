package fetch

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestNoErrorShowsACredential(t *testing.T) {
	const secret = "hunter2"
	respond := func(text string) func(net.Conn) {
		return func(c net.Conn) { _, _ = io.WriteString(c, text) }
	}
	tests := map[string]func(net.Conn){
		"cut":                   respond(""),
		"garbage":               respond("what?\r\n\r\n"),
		"short":                 respond(okHead + "Content-Length: 9\r\n\r\n"),
		"refused":               respond("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"),
		"server":                respond("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"),
		"a loop":                respond("HTTP/1.1 302 Found\r\nLocation: /?token=hunter2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
		"a redirect to nowhere": respond("HTTP/1.1 302 Found\r\nLocation: ftp://u:hunter2@h/?API_KEY=hunter2#access_token=hunter2\r\nContent-Length: 0\r\n\r\n"),
		"a bad Location":        respond("HTTP/1.1 302 Found\r\nLocation: http://u:hunter2/@h/%zz\r\nContent-Length: 0\r\n\r\n"),
		"silence":               func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
	}
	o := quick()
	o.Attempts, o.Timeout = 2, 50*time.Millisecond
	o.Headers = []Header{{"Authorization", "Bearer " + secret}, {"Cookie", "sid=" + secret}}
	c := newClient(t, o)
	check := func(t *testing.T, result Result) {
		t.Helper()
		if result.Failure == nil {
			t.Fatalf("got %+v", result)
		}
		texts := []string{result.Failure.Error()}
		for _, attempt := range result.Failed {
			texts = append(texts, attempt.Err)
		}
		for _, text := range texts {
			if strings.Contains(text, secret) {
				t.Errorf("shown: %s", text)
			}
		}
	}
	for name, say := range tests {
		t.Run(name, func(t *testing.T) {
			url, _ := wire(t, say)
			url = strings.Replace(url, "http://", "http://user:"+secret+"@", 1) + "?token=" + secret
			check(t, do(c, Request{URL: url}))
		})
	}
	for _, url := range []string{"http://u:hunter2/x@h/", "http://u:%zz@hunter2", "ftp://u:hunter2@h", "hunter2", "http://u:hunter2@h:x/"} {
		t.Run("a bad URL", func(t *testing.T) { check(t, c.Do(context.Background(), context.Background(), Request{URL: url})) })
	}
}

func TestUserinfoIsSentAsAuthorization(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		_, _ = io.WriteString(w, user+":"+password)
	})
	page := wantPage(t, do(newClient(t, quick()), Request{URL: strings.Replace(s.URL, "://", "://ann:pw@", 1)}))
	if string(page.Body) != "ann:pw" {
		t.Errorf("got %s", page.Body)
	}
}

func TestRedactHidesCredentialsAndNothingElse(t *testing.T) {
	tests := map[string]string{
		"http://h/a?b=1#c":                              "http://h/a?b=1#c",
		"http://u:p@h:8/@x?q=@y":                        "http://***@h:8/@x?q=@y",
		"http://u:p@q@h/":                               "http://***@h/",
		"https://h?api_key=1&page=2&Access_Token=3&z":   "https://h?api_key=***&page=2&Access_Token=***&z",
		"https://h/?password=1&X-Amz-Signature=2&sig=3": "https://h/?password=***&X-Amz-Signature=***&sig=***",
		"https://h/?keyword=shoes&sign=x":               "https://h/?keyword=shoes&sign=x",
		"https://h/#access_token=1":                     "https://h/#access_token=***",
		"/a?token=1":                                    "/a?token=***",
		"":                                              "",
	}
	for url, want := range tests {
		if got := redact(url); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
}
