package config

import (
	"net/url"
	"strings"
)

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
