package practice

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const controlPrefix = "/_practice/"

// Switches are the site's settings that POST /_practice/site changes; what is
// absent stays.
type Switches struct {
	Delay *string `json:"delay,omitempty"` // as time.ParseDuration reads it: "2ms"
	Down  *bool   `json:"down,omitempty"`

	Capacity *string `json:"capacity,omitempty"` // as ParseCapacity reads it: "200", "200:503", "none"
}

// control answers the paths below /_practice/. They are never counted, delayed
// or faulted.
func (s *Site) control(w http.ResponseWriter, r *http.Request) {
	var out any
	var err error
	switch r.Method + " " + r.URL.Path[len(controlPrefix):] {
	case "GET counts":
		out = s.Counts()
	case "GET tallies":
		out = s.Tallies()
	case "GET stats":
		out = s.Stats()
	case "POST reset":
		s.Reset()
	case "POST fault":
		var f Fault
		if err = readJSON(r, &f); err == nil {
			err = s.SetFault(f)
		}
	case "DELETE fault":
		s.ClearFaults()
	case "POST site":
		err = s.switchTo(r)
	default:
		sendJSON(w, http.StatusNotFound, map[string]string{"error": "no such control: " + r.Method + " " + r.URL.Path})
		return
	}
	if err != nil {
		sendJSON(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	if out == nil {
		out = map[string]bool{"ok": true}
	}
	sendJSON(w, http.StatusOK, out)
}

func (s *Site) switchTo(r *http.Request) error {
	var to Switches
	if err := readJSON(r, &to); err != nil {
		return err
	}
	if to.Delay != nil {
		d, err := time.ParseDuration(*to.Delay)
		if err != nil {
			return fmt.Errorf("read delay: %w", err)
		}
		s.SetDelay(d)
	}
	if to.Capacity != nil {
		c, err := ParseCapacity(*to.Capacity)
		if err != nil {
			return err
		}
		s.SetCapacity(c)
	}
	if to.Down != nil {
		s.SetDown(*to.Down)
	}
	return nil
}

// readJSON refuses unknown keys: a mistyped one would be a fault that never
// comes and a test that passes for nothing.
func readJSON(r *http.Request, into any) error {
	d := json.NewDecoder(io.LimitReader(r.Body, 1<<20))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("read JSON: %w", err)
	}
	return nil
}

func sendJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		status, b = http.StatusInternalServerError, fmt.Appendf(nil, `{"error":%q}`, err.Error())
	}
	send(w, answer{status: status, kind: kindJSON, body: append(b, '\n')})
}
