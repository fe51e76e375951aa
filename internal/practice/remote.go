package practice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Remote drives a site in another process through its control paths. The
// methods are those of Site, with the error of the way there.
type Remote struct {
	URL string // http://127.0.0.1:40123, no slash at the end
}

// remoteClient keeps no connection: a test looks for goroutines when it ends.
var remoteClient = &http.Client{
	Timeout:   10 * time.Second,
	Transport: &http.Transport{DisableKeepAlives: true},
}

// SetFault is Site.SetFault.
func (r Remote) SetFault(f Fault) error { return r.do(http.MethodPost, "fault", f, nil) }

// ClearFaults is Site.ClearFaults.
func (r Remote) ClearFaults() error { return r.do(http.MethodDelete, "fault", nil, nil) }

// SetDelay is Site.SetDelay.
func (r Remote) SetDelay(d time.Duration) error {
	text := d.String()
	return r.do(http.MethodPost, "site", Switches{Delay: &text}, nil)
}

// SetDown is Site.SetDown.
func (r Remote) SetDown(down bool) error {
	return r.do(http.MethodPost, "site", Switches{Down: &down}, nil)
}

// Reset is Site.Reset.
func (r Remote) Reset() error { return r.do(http.MethodPost, "reset", nil, nil) }

// Counts is Site.Counts.
func (r Remote) Counts() (map[string]int64, error) {
	var m map[string]int64
	return m, r.do(http.MethodGet, "counts", nil, &m)
}

// Tallies is Site.Tallies.
func (r Remote) Tallies() (map[string]Tally, error) {
	var m map[string]Tally
	return m, r.do(http.MethodGet, "tallies", nil, &m)
}

// Stats is Site.Stats.
func (r Remote) Stats() (Stats, error) {
	var st Stats
	return st, r.do(http.MethodGet, "stats", nil, &st)
}

func (r Remote) do(method, what string, in, out any) error {
	var body io.Reader = http.NoBody
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("write %s: %w", what, err)
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, r.URL+controlPrefix+what, body)
	if err != nil {
		return fmt.Errorf("ask practice site: %w", err)
	}
	resp, err := remoteClient.Do(req)
	if err != nil {
		return fmt.Errorf("ask practice site: %w", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("practice site refused %s %s: %s", method, what, bytes.TrimSpace(answer))
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}
	return nil
}
