package practice

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wireEvents is a page of events as a stranger reads it.
type wireEvents struct {
	Items []struct {
		ID                json.Number
		At, Title, Amount string
	}
	Next any
}

func askedEvents(t *testing.T, s *Site, uri string) wireEvents {
	t.Helper()
	w := recorded(s, uri)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != kindJSON[0] {
		t.Fatalf("%s: %d %s", uri, w.Code, w.Body)
	}
	var p wireEvents
	d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	d.UseNumber()
	if err := d.Decode(&p); err != nil {
		t.Fatal(err)
	}
	return p
}

// checkEvents compares a page with the events after the n-th.
func checkEvents(t *testing.T, p wireEvents, n int64) {
	t.Helper()
	for i, got := range p.Items {
		want := EventAt(n + int64(i) + 1)
		if got.ID.String() != strconv.FormatInt(want.ID, 10) || got.At != want.At || got.Title != want.Title ||
			got.Amount != want.Amount {
			t.Errorf("event %d is %+v, want %+v", n+int64(i)+1, got, want)
		}
	}
}

func TestEveryEventIsReachedByItsCursors(t *testing.T) {
	for _, path := range []string{eventsPath, feedPath} {
		s, uri, total := New(Options{Events: 45}), path, int64(0)
		for page := int64(1); uri != ""; page++ {
			if path == feedPath && uri != FeedPath(page) {
				t.Fatalf("page %d is at %s, FeedPath says %s", page, uri, FeedPath(page))
			}
			p := askedEvents(t, s, uri)
			checkEvents(t, p, total)
			total += int64(len(p.Items))
			next, more := p.Next.(string)
			switch {
			case !more && p.Next == nil:
				uri = ""
			case path == feedPath:
				uri = next
			case next == EventCursor(total):
				uri = path + "?after=" + url.QueryEscape(next)
			default:
				t.Fatalf("page %d goes on to %v", page, p.Next)
			}
		}
		if total != 45 || s.Total() != 3 {
			t.Errorf("%s: %d events in %d pages", path, total, s.Total())
		}
	}
}

func TestAPageThatIsJustFullIsTheLast(t *testing.T) {
	p := askedEvents(t, New(Options{Events: EventItems}), eventsPath)
	if len(p.Items) != EventItems || p.Next != nil {
		t.Errorf("%d events, next %v", len(p.Items), p.Next)
	}
	s := New(Options{})
	if s.o.Events != defaultEvents || askedEvents(t, s, FeedPath(defaultEvents/EventItems)).Next != nil {
		t.Errorf("page %d of %d events is not the last", defaultEvents/EventItems, s.o.Events)
	}
}

func TestCursorHasToBeEncodedAndIsNotMadeUp(t *testing.T) {
	c := EventCursor(EventItems)
	if !strings.Contains(c, "+") || !strings.Contains(c, "/") || !strings.HasSuffix(c, "=") || strings.Contains(c, "20") {
		t.Errorf("cursor %q", c)
	}
	s := New(Options{Events: 100})
	for what, after := range map[string]string{
		"not encoded": c, "empty": "", "null": "null", "a number": "20", "encoded twice": url.QueryEscape(url.QueryEscape(c)),
		"in the middle of a page": url.QueryEscape(EventCursor(7)), "at the end": url.QueryEscape(EventCursor(100)),
		"before the start": url.QueryEscape(EventCursor(-EventItems)), "of another kind": "AAAAAAAAAAAAAAA%3D",
	} {
		if w := recorded(s, eventsPath+"?after="+after); w.Code != http.StatusBadRequest || !json.Valid(w.Body.Bytes()) {
			t.Errorf("cursor %s: %d %s", what, w.Code, w.Body)
		}
	}
}

// restish #397: ids that a float64 can't hold.
func TestEventsHaveIDsThatAFloatLoses(t *testing.T) {
	ids, lost := []int64{}, 0
	for n := int64(1); n <= 200; n++ {
		id := EventAt(n).ID
		ids = append(ids, id)
		if id != 1<<63-1 && int64(float64(id)) != id {
			lost++
		}
	}
	slices.Sort(ids)
	if lost < 80 || len(slices.Compact(ids)) != 200 || ids[0] != 2 {
		t.Errorf("%d of the ids are lost, %v", lost, ids[:3])
	}
	a, b := EventAt(1), EventAt(7)
	if a.At != "2026-02-04T06:30:00Z" || b.At != "2026-02-04T02:48:00Z" || b.Amount[0] != '-' {
		t.Errorf("%+v %+v", a, b)
	}
}

func TestEndlessCursorHasNoEnd(t *testing.T) {
	s, uri := New(Options{Events: 3}), endlessPath
	for page := int64(0); page < 50; page++ {
		p := askedEvents(t, s, uri)
		checkEvents(t, p, page*EventItems)
		if len(p.Items) != EventItems || p.Next != json.Number(strconv.FormatInt(page+1, 10)) {
			t.Fatalf("%s: %d items, next %v", uri, len(p.Items), p.Next)
		}
		uri = endlessPath + "?after=" + strconv.FormatInt(page+1, 10)
	}
	askedEvents(t, s, endlessPath+"?after=0")
	for _, after := range []string{"", "x", "-1", "9223372036854775807"} {
		if w := recorded(s, endlessPath+"?after="+after); w.Code != http.StatusBadRequest {
			t.Errorf("after %q: %d", after, w.Code)
		}
	}
}
