package cli_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// tab is a page in a real browser.
type tab struct {
	*testing.T
	ctx   context.Context
	mu    sync.Mutex
	wrong []string // what the console said, and what could not be loaded
}

// browse opens a browser that ends with the test, whatever happens.
func browse(t *testing.T) *tab {
	t.Helper()
	program := testenv.Tool(t, "chromium", "chromium")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox)
	ctx, end := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, leave := chromedp.NewContext(ctx, chromedp.WithLogf(func(string, ...any) {}))
	b := &tab{T: t}
	var listening sync.WaitGroup
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // returns when the browser has ended
		leave()
		end()
		listening.Wait()
	})
	if err := chromedp.Do(ctx); err != nil { // starts it; a deadline of this context would be the browser's
		t.Fatal(err)
	}
	console, failed := chromedp.Console(ctx), chromedp.Events(ctx, network.LoadingFailed)
	answers := chromedp.Events(ctx, network.ResponseReceived)
	listening.Go(func() {
		for m, err := range console {
			if err == nil {
				b.note("console: " + m.String())
			}
		}
	})
	listening.Go(func() {
		for e, err := range failed {
			if err == nil && !e.Canceled { // by the page itself, which ends its listening
				b.note(fmt.Sprintf("a request failed: %s %s", e.Type, e.ErrorText))
			}
		}
	})
	listening.Go(func() {
		for e, err := range answers {
			if err == nil && e.Response.Status >= 400 {
				b.note(fmt.Sprintf("%s: %d", e.Response.URL, e.Response.Status))
			}
		}
	})
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	b.ctx = limited
	return b
}

func (b *tab) note(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, text)
}

// do runs actions.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.Fatalf("%v; %s", err, b.wrong)
	}
}

// until waits until a JavaScript expression is true.
func (b *tab) until(expression string) {
	b.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingMutation())); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.Fatalf("%s: %v; %s", expression, err, b.wrong)
	}
}

// ask returns what a JavaScript expression comes to.
func ask[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// number is what an element shows, 12,345 for example.
const number = `(id => Number(document.getElementById(id).textContent.replaceAll(",", "")))`

// hostileJob asks for a URL with a script in it, keeps names with < and > in them, and fails by one, which the error
// repeats.
const hostileJob = `
name: "<b>hostile</b> & Söhne"
start:
  - {url: "SITE/v1/product/<script>alert(1)</script><img src=x onerror=alert(2)>", as: product}
  - {url: "SITE/v1/product/303", as: odd}
  - {url: "SITE/v1/product/{id}", id: 1..300000, as: product}
rate: 60/s
retry: {attempts: 1, delay: 1ms}
limits: {failures: 100%}
pages:
  product:
    records:
      table: products
      key: id
      fields: {id: {json: $.id, type: int}, name: {json: $.name}, price: {json: $.price, type: "decimal(10,2)"}}
  odd:
    records: {table: odd, key: id, fields: {id: {json: $.name, type: int, required: true}}}
`

// In a real browser, while a run goes on: the numbers move, nothing of what the site wrote is taken for markup, the
// console stays empty, and a phone has nothing to scroll sideways. The run is ended when all that has been seen.
func TestThePageShowsARunInARealBrowser(t *testing.T) {
	faults := []practice.Fault{{Path: "/v1/product/*", Script: "500", Every: 50}}
	site, err := practice.Start(practice.Options{Faults: faults})
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	b := browse(t)
	w := watch(t, "run", writeJob(t, "hostile.yaml", strings.ReplaceAll(hostileJob, "SITE", site.URL)))
	b.do(chromedp.Navigate(w.url))
	for _, width := range []int64{400, 1280} {
		b.do(chromedp.EmulateViewport(width, 900))
		b.until(number + `("done") > 5 && document.querySelectorAll("#failures tr").length > 3`)
		before := ask[float64](b, number+`("done")`)
		b.until(fmt.Sprintf(`%s("done") > %v && document.querySelectorAll("#table_0 tr").length > 5`, number, before))
		if wide := ask[int64](b, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("at %d px the page is %d px wide", width, wide)
		}
	}
	w.signal()
	b.until(`document.getElementById("state").dataset.state === "interrupted"`)
	w.interrupted()
	b.wantShown(site.URL)
	// What it said last stays, though nobody answers any more.
	want := rows(t, stateOf(w.Args[2]), `SELECT done FROM counters`)[0]
	if done := ask[int64](b, number+`("done")`); fmt.Sprint(done) != want {
		t.Errorf("at the end %d tasks are done, want %s", done, want)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.wrong) > 0 {
		t.Errorf("in the browser:\n%s", strings.Join(b.wrong, "\n"))
	}
}

// wantShown looks for what the site wrote, as text.
func (b *tab) wantShown(site string) {
	b.Helper()
	for _, text := range []string{
		`<b>hostile</b> & Söhne`,
		site + `/v1/product/<script>alert(1)</script><img src=x onerror=alert(2)>`,
		`HTTP 500 Internal Server Error`, `HTTP 404 Not Found`,
	} {
		if !ask[bool](b, fmt.Sprintf(`document.body.textContent.includes(%q)`, text)) {
			b.Errorf("the page does not show %s; it shows\n%s", text, ask[string](b, `document.body.innerText`))
		}
	}
	for _, where := range []string{"#failures .why", "#table_0"} {
		has := fmt.Sprintf(`[...document.querySelectorAll(%q)].some(e => e.textContent.includes("<限时特价>"))`, where)
		if !ask[bool](b, has) {
			b.Errorf("%s does not show <限时特价>", where)
		}
	}
	if n := ask[int64](b, `document.querySelectorAll("b, img, body script").length`); n != 0 {
		b.Errorf("%d elements that are not ours", n)
	}
}
