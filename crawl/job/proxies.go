package job

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// proxies reads a URL or a list of them. What is in them is never shown where something was filled in.
func (l *loader) proxies(n *node) {
	for _, item := range l.many(n, "proxies") {
		text, ok := l.text(item, "a proxy")
		if !ok {
			continue
		}
		text = proxyText(item, text)
		if wrong := badProxy(text); wrong != "" {
			l.at(item,
				"%s; a proxy is http://, https:// or socks5:// with host and port, such as http://user:${PROXY_PASS}@10.0.0.1:8080", wrong)
		} else {
			l.job.Proxies = append(l.job.Proxies, text)
		}
	}
}

// proxyText is the URL of a proxy. What ${NAME} brings into user and password is percent-encoded where it would end
// them early, so that a password may be any; what is percent-encoded already stays.
func proxyText(n *node, text string) string {
	var out strings.Builder
	for i, p := range n.parts {
		inside := false
		for _, after := range n.parts[i+1:] {
			inside = inside || after.ref == "" && strings.Contains(after.text, "@")
		}
		if p.ref != "" && inside {
			p.text = escapePart(p.text)
		}
		out.WriteString(p.text)
	}
	if n.parts != nil {
		text = out.String()
	}
	return strings.TrimSpace(text)
}

var escaped = regexp.MustCompile(`^%[0-9A-Fa-f]{2}`)

func escapePart(text string) string {
	var out strings.Builder
	for i := range len(text) {
		c := text[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte("/?#@[]\\\"<>^`{|}", c) >= 0 || c == '%' &&
			!escaped.MatchString(text[i:]) {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// badProxy says what is wrong with the URL of a proxy, without showing it; "" when nothing is.
func badProxy(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil && strings.Contains(text, "@"):
		return "this can't be read: percent-encode / ? # @ and % in user and password"
	case err != nil || u.Host == "":
		return "this is no URL"
	case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" && u.Scheme != "socks5h":
		return "there are no proxies of this scheme"
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return "this is more than host and port (percent-encode / ? # and @ in user and password)"
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "there is no such port"
		}
	}
	if host := u.Hostname(); host == "" || strings.Contains(host, ":") && net.ParseIP(host) == nil {
		return "this has no host"
	}
	return ""
}
