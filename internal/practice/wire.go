package practice

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const captchaPage = `<!DOCTYPE html>
<html lang="zh"><head><meta charset="utf-8"><title>安全验证 Security check</title></head>
<body><form id="captcha" method="post" action="/"><p>请输入验证码 Are you human?</p><input name="code"><button>OK</button></form></body></html>
`

// play gives the answer of a script instead of the page.
func (s *Site) play(w http.ResponseWriter, r *http.Request, st step) {
	switch st.name {
	case "status":
		s.status(w, st)
	case "captcha":
		send(w, answer{status: http.StatusOK, kind: kindHTML, body: []byte(captchaPage)})
	case "slow":
		if !wait(r.Context(), st.wait) {
			panic(http.ErrAbortHandler)
		}
		s.answer(w, r)
	case "drip":
		drip(w, r, s.page(nil, r), st.wait)
	case "stall":
		s.stall(w, r, st.wait)
	case "big":
		big(w, st.size)
	case "reset":
		s.reset(w)
	case "garbage":
		s.raw(w, []byte("\x16\x03\x01 this is not HTTP \xff\xfe\r\n\r\n"))
	case "cut":
		s.raw(w, cut(s.page(nil, r)))
	case "short":
		s.raw(w, short(s.page(nil, r)))
	}
}

func (s *Site) status(w http.ResponseWriter, st step) {
	a := answer{status: st.status, kind: kindText, body: fmt.Appendf(nil, "practice fault: %d %s\n", st.status, http.StatusText(st.status))}
	switch {
	case st.status/100 == 3 && st.status != http.StatusNotModified:
		w.Header().Set("Location", st.text)
	case strings.HasPrefix(st.text, "@"):
		seconds, _ := strconv.Atoi(st.text[1:]) // checked by parseStatus
		at := s.o.Now().Add(time.Duration(seconds) * time.Second)
		w.Header().Set("Retry-After", at.UTC().Format(http.TimeFormat))
	case st.text != "":
		w.Header().Set("Retry-After", st.text)
	}
	if st.status == http.StatusNoContent || st.status == http.StatusNotModified {
		w.WriteHeader(st.status)
		return
	}
	send(w, a)
}

// sendHead sends the status and headers of an answer, and nothing of its body yet.
func sendHead(w http.ResponseWriter, a answer) {
	a.head(w)
	flush(w)
}

// flush fails only when the client has gone, which the next wait notices.
func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// dripPieces is how many pieces a dripping body comes in.
const dripPieces = 20

func drip(w http.ResponseWriter, r *http.Request, a answer, every time.Duration) {
	sendHead(w, a)
	for i := range dripPieces {
		if !wait(r.Context(), every) {
			panic(http.ErrAbortHandler)
		}
		n := len(a.body)
		_, _ = w.Write(a.body[n*i/dripPieces : n*(i+1)/dripPieces])
		flush(w)
	}
}

// stall sends the headers of the page and then nothing, until the client goes
// or the bound is reached; either way the body never comes.
func (s *Site) stall(w http.ResponseWriter, r *http.Request, bound time.Duration) {
	if bound == 0 {
		bound = s.o.Stall
	}
	sendHead(w, s.page(nil, r))
	wait(r.Context(), bound)
	panic(http.ErrAbortHandler)
}

// big sends size bytes without saying beforehand how many they are.
func big(w http.ResponseWriter, size int64) {
	w.Header()["Content-Type"] = kindHTML
	w.WriteHeader(http.StatusOK)
	piece := bytes.Repeat([]byte("<p>much</p>    \n"), 2048)
	for size > 0 {
		n, err := w.Write(piece[:min(size, int64(len(piece)))])
		if err != nil {
			return
		}
		size -= int64(n)
	}
}

// cut is the first half of the page in chunks: a body whose end is missing
// though nothing said how long it would be.
func cut(a answer) []byte {
	half := a.body[:len(a.body)/2]
	b := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n",
		a.status, http.StatusText(a.status), a.kind[0])
	b = fmt.Appendf(b, "%x\r\n", len(half))
	return append(append(b, half...), "\r\n"...)
}

// short is the whole page under a Content-Length of 100 more.
func short(a answer) []byte {
	b := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
		a.status, http.StatusText(a.status), a.kind[0], len(a.body)+100)
	return append(b, a.body...)
}

// raw writes bytes as they are and closes the connection in an orderly way.
func (s *Site) raw(w http.ResponseWriter, b []byte) {
	defer s.hijacked.Done()
	conn := s.hijack(w)
	_ = conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_, _ = conn.Write(b)
	_ = conn.Close()
}

// reset ends the connection with a TCP reset, nothing sent.
func (s *Site) reset(w http.ResponseWriter) {
	defer s.hijacked.Done()
	conn := s.hijack(w)
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // what makes Close send RST instead of FIN
	}
	_ = conn.Close()
}

// hijack takes the connection; the caller calls s.hijacked.Done when it is
// closed. Where there is none to take (a recorder in a test) the handler is
// aborted, which is as near as it gets.
func (s *Site) hijack(w http.ResponseWriter) net.Conn {
	s.hijacked.Add(1)
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}
