package practice

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	apiPrefix   = "/v1/"
	eventsPath  = "/v1/events"
	feedPath    = "/v1/feed"
	endlessPath = "/v1/endless"
	lookupPath  = "/v1/lookup"

	// EventItems is how many events a page of the cursor API has, but for the last.
	EventItems = 20

	// lastEndless is where the endless cursor ends after all: an id must fit into 64 bits.
	lastEndless = 1 << 60
)

// Event is one item of the cursor API, text exactly as it stands in the JSON.
type Event struct {
	ID     int64  `json:"id"`     // a number; two thirds are over 2^53, where a float64 has not every whole number
	At     string `json:"at"`     // 2026-02-04T06:30:00Z for the first, 37 minutes earlier for each next
	Title  string `json:"title"`  // with quotes, <, > and & that JSON may escape
	Amount string `json:"amount"` // two decimals, as text: "7999.00"; "-7999.00" for each seventh
}

// EventAt returns the n-th event, counted from 1: page N of the API has the
// events from (N-1)*EventItems+1 on.
func EventAt(n int64) Event {
	id := n
	switch n % 3 {
	case 0:
		id = math.MaxInt64 - n
	case 1:
		id = 1<<53 + n
	}
	first := time.Date(2026, 2, 4, 6, 30, 0, 0, time.UTC)
	amount := string(appendPrice(nil, n))
	if n%7 == 0 {
		amount = "-" + amount
	}
	return Event{
		ID: id, At: first.Add(-37 * time.Minute * time.Duration((n-1)%100_000)).Format(time.RFC3339),
		Title: `"到货" <new> & ` + kindOf(n).name, Amount: amount,
	}
}

// cursorMask keeps the number in a cursor from being read, and from being
// guessed at.
const cursorMask = 0x5bd1e9955bd1e995

// cursorStart makes every cursor begin with +/+/, which a query can't carry as
// it is; eight bytes more make it end with =.
var cursorStart = []byte{0xfb, 0xff, 0xbf}

// EventCursor returns the cursor of the page that begins after the n-th event,
// before it is percent-encoded. Sent as it is, its + is read as a space, and
// the site answers 400.
func EventCursor(n int64) string {
	b := binary.BigEndian.AppendUint64(cursorStart[:3:3], uint64(n)^cursorMask)
	return base64.StdEncoding.EncodeToString(b)
}

// FeedPath returns the address of a page of /v1/feed, 1 or more, as the `next`
// of the page before has it.
func FeedPath(page int64) string {
	if page <= 1 {
		return feedPath
	}
	return feedPath + "?after=" + url.QueryEscape(EventCursor((page-1)*EventItems))
}

// readCursor returns the number of events before the page that a query asks
// for. An `after` that is empty is no first page: who sends one has lost it.
func readCursor(q url.Values) (int64, bool) {
	if !q.Has("after") {
		return 0, true
	}
	b, err := base64.StdEncoding.Strict().DecodeString(q.Get("after"))
	if err != nil || len(b) != 11 || !strings.HasPrefix(string(b), string(cursorStart)) {
		return 0, false
	}
	n := int64(binary.BigEndian.Uint64(b[3:]) ^ cursorMask)
	return n, n > 0 && n%EventItems == 0
}

// eventPage is the JSON of a page; Next is nil at the end.
type eventPage struct {
	Items []Event `json:"items"`
	Next  any     `json:"next"`
}

// events is a page of the cursor API, whose next is what next makes of the
// number of events up to its end.
func (s *Site) events(dst []byte, q url.Values, next func(n int64) string) answer {
	n, ok := readCursor(q)
	if !ok || n > 0 && n >= s.o.Events {
		return refusal(dst, http.StatusBadRequest, "no such cursor")
	}
	p := eventPage{Items: eventsAfter(n, min(EventItems, s.o.Events-n))}
	if n+EventItems < s.o.Events {
		p.Next = next(n + EventItems)
	}
	return answerJSON(dst, p)
}

// endless is a page that always has a next, a number: what ends such a crawl
// is its limit alone.
func endless(dst []byte, q url.Values) answer {
	after := q.Get("after")
	page, ok := number(after)
	if q.Has("after") && after != "0" && (!ok || page >= lastEndless/EventItems) {
		return refusal(dst, http.StatusBadRequest, "after is a page number")
	}
	return answerJSON(dst, eventPage{Items: eventsAfter(page*EventItems, EventItems), Next: page + 1})
}

func eventsAfter(n, count int64) []Event {
	items := make([]Event, 0, count)
	for i := range count {
		items = append(items, EventAt(n+i+1))
	}
	return items
}

// refusal is the answer to a request that the API can't read.
func refusal(dst []byte, status int, why string) answer {
	a := answerJSON(dst, map[string]any{"error": why, "code": status})
	a.status = status
	return a
}

func answerJSON(dst []byte, v any) answer {
	b, err := json.Marshal(v)
	if err != nil {
		return answer{status: http.StatusInternalServerError, kind: kindText, body: append(dst, err.Error()...)}
	}
	return answer{status: http.StatusOK, kind: kindJSON, body: append(dst, b...)}
}
