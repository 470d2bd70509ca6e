package config

import (
	"net/url"
	"strings"
)

// RedactURL hides what a URL tells of passwords and tokens.
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
