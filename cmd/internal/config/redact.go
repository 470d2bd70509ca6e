package config

import (
	"net/url"
	"strings"
)

// httpURL takes apart what must be a web server's URL, and reports whether it
// is one.
func httpURL(raw string) (*url.URL, bool) {
	u, err := url.Parse(raw)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// RedactURL returns a URL, or several separated by commas, without users, passwords
// and tokens.
func RedactURL(raw string) string {
	if raw == "" {
		return ""
	}
	urls := strings.Split(raw, ",")
	for i, one := range urls {
		if one = strings.TrimSpace(one); !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		u, err := url.Parse(one)
		if err != nil {
			urls[i] = "(unreadable URL)"
			continue
		}
		if u.User != nil {
			u.User = url.User("redacted")
		}
		urls[i] = u.String()
	}
	return strings.Join(urls, ",")
}
