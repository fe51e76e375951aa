package fetch

import "strings"

// hidden stands where a secret was.
const hidden = "***"

// secretWords are the words that make a query parameter or a header a credential when its name has one.
var secretWords = []string{"token", "secret", "pass", "pwd", "auth", "signature", "session", "cookie", "credential", "jwt"}

// secretName tells whether a name of a query parameter or header is that of a credential. "key" only at the end:
// api_key and X-Api-Key, but not keyword.
func secretName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range secretWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return strings.HasSuffix(name, "key") || name == "sig" || name == "sid"
}

// redact makes a URL fit for an error's text: no userinfo, no values of parameters that are credentials. It works on
// the text, because a URL that can't be parsed has secrets too.
func redact(url string) string {
	url, fragment, _ := strings.Cut(url, "#")
	url, query, hasQuery := strings.Cut(url, "?")
	if scheme, rest, ok := strings.Cut(url, "://"); ok {
		authority, path, hasPath := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			authority = hidden + authority[at:]
		}
		url = scheme + "://" + authority
		if hasPath {
			url += "/" + path
		}
	}
	if hasQuery {
		url += "?" + redactQuery(query)
	}
	if fragment != "" {
		url += "#" + redactQuery(fragment) // OAuth answers put tokens here
	}
	return url
}

func redactQuery(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, _, ok := strings.Cut(pair, "="); ok && secretName(name) {
			pairs[i] = name + "=" + hidden
		}
	}
	return strings.Join(pairs, "&")
}
