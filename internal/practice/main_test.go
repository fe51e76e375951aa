package practice

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// middleVariable makes the test binary the parent of a site that is killed.
const middleVariable = "PRACTICE_TEST_MIDDLE"

func TestMain(m *testing.M) {
	ChildMain()
	if os.Getenv(middleVariable) != "" {
		os.Exit(middle())
	}
	goleak.VerifyTestMain(m)
}

// serve starts a site for one test.
func serve(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// recorded asks the handler itself.
func recorded(h http.Handler, uri string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, uri, nil))
	return w
}

// fetch asks over the network, on a connection of its own.
func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}
