package monitor

import (
	"encoding/json"
	"sync"
	"time"

	"dogear/state"
)

// moment is all that the page shows, as it is at one time.
type moment struct {
	At        int64    `json:"at"` // Unix ms
	Ended     string   `json:"ended"`
	Elapsed   float64  `json:"elapsed_s"`
	Total     int64    `json:"total"`
	Pending   int64    `json:"pending"`
	InFlight  int64    `json:"in_flight"`
	Done      int64    `json:"done"`
	Failed    int64    `json:"failed"`
	Percent   float64  `json:"percent"`
	PerSecond float64  `json:"per_second"` // over the last 10 s
	ETA       *float64 `json:"eta_s"`      // nil: nothing to reckon from
	Due       *float64 `json:"due_s"`      // with nothing in flight: until the next task is due; nil: it is now
	Active    int      `json:"active"`
	Limit     int      `json:"limit"`
	Records   int64    `json:"records"` // this and what follows: of this run
	Rejects   int64    `json:"rejects"`
	Retried   int64    `json:"retried"`
	Bytes     int64    `json:"bytes"`

	Speed    speed                 `json:"speed"`
	Failures []state.FailureGroup  `json:"failures"`
	Recent   []state.RecentAttempt `json:"recent"`
	Hosts    []waiting             `json:"hosts"` // those that wait, the longest first
	Waiting  int                   `json:"hosts_waiting"`
	Tables   []preview             `json:"tables"`
	Trouble  string                `json:"trouble"` // why some of it could not be read
}

// waiting is a host that is left alone for now.
type waiting struct {
	Host string  `json:"host"`
	For  float64 `json:"for_s"`
	Why  string  `json:"why"`
}

// preview is the end of a record table.
type preview struct {
	Table   string      `json:"table"`
	Columns []string    `json:"columns"`
	Numbers []bool      `json:"numbers"` // which columns are
	Rows    [][]*string `json:"rows"`    // nil: NULL
}

// moments makes one text per sample, however many ask for it.
type moments struct {
	failures cached[[]state.FailureGroup]

	mu      sync.Mutex
	text    []byte // nil: to be made
	changed chan struct{}
}

// next lets everybody look who waits for it, when it has become so. Nobody looks meanwhile.
func (ms *moments) next(become func()) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	become()
	ms.text = nil
	if ms.changed != nil {
		close(ms.changed)
		ms.changed = nil
	}
}

// moment returns the present one as JSON on one line, and a channel that is closed when there is another.
func (m *Monitor) moment() ([]byte, <-chan struct{}) {
	ms := &m.moments
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if ms.changed == nil {
		ms.changed = make(chan struct{})
	}
	if ms.text == nil {
		ms.text, _ = json.Marshal(m.look(time.Now())) // it has nothing that can't be JSON
	}
	return ms.text, ms.changed
}
