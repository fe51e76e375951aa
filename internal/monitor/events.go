package monitor

import (
	"net/http"
	"time"
)

const (
	// maxListeners is how many pages may be open at the same time.
	maxListeners = 20
	// writeTime is how long an answer may take, or one event of those who listen.
	writeTime = 10 * time.Second
)

// events is a stream of server-sent events (HTML, 9.2): a moment a second, and the last one, named "finished", when the
// run has ended. Nothing is read for it while nobody listens.
func (m *Monitor) events(w http.ResponseWriter, r *http.Request) {
	select {
	case m.seats <- struct{}{}:
		defer func() { <-m.seats }()
	default:
		http.Error(w, "too many pages of this run are open: close one", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	out := http.NewResponseController(w)
	send := func(text ...string) bool {
		_ = out.SetWriteDeadline(time.Now().Add(writeTime))
		for _, t := range text {
			if _, err := w.Write([]byte(t)); err != nil {
				return false
			}
		}
		return out.Flush() == nil
	}
	for first := "retry: 2000\n"; ; first = "" {
		over := m.ended() != "" // before the moment is looked at, which then is the last one
		text, changed := m.moment()
		name := ""
		if over {
			name = "event: finished\n"
		}
		if !send(first, name, "data: ", string(text), "\n\n") || over {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// emptySeats waits until all who listen have the final state, or have had the time for it.
func (m *Monitor) emptySeats() {
	patience := time.NewTimer(lastWord)
	defer patience.Stop()
	for range maxListeners {
		select {
		case m.seats <- struct{}{}:
		case <-patience.C:
			return
		}
	}
}
