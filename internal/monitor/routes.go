package monitor

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

//go:embed page.html page.css page.js
var files embed.FS

// page is what somebody sees before, or without, the script: html/template escapes all that is put in.
var page = template.Must(template.New("page.html").
	Funcs(template.FuncMap{"comma": humanize.Comma}).ParseFS(files, "page.html"))

func (m *Monitor) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", m.page)
	mux.HandleFunc("/page.css", asset("page.css", "text/css; charset=utf-8"))
	mux.HandleFunc("/page.js", asset("page.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/events", m.events)
	mux.HandleFunc("/api/status", m.apiStatus)
	mux.Handle("/metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 10,
	}))
	return mux
}

func asset(name, contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, _ := files.ReadFile(name) // it is embedded
		w.Header().Set("Content-Type", contentType)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	}
}

func (m *Monitor) page(w http.ResponseWriter, r *http.Request) {
	data := struct {
		Job, Path, Version string
		*moment
	}{m.options.Job, m.run.Path, m.options.Version, m.count(time.Now())}
	var b bytes.Buffer
	if err := page.Execute(&b, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.Bytes()))
}

// apiStatus gives what `dogear status --json` prints, as it was a few seconds ago at the most.
func (m *Monitor) apiStatus(w http.ResponseWriter, r *http.Request) {
	status, err := m.status.get(m.ctx, false)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	text, err := json.MarshalIndent(status, "", "  ")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(append(text, '\n')))
}
