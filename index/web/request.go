package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Bounds of a request and its answer.
const (
	maxQuery = 512     // bytes
	maxBody  = 4 << 20 // what engines show of a few hundred pages
	maxError = 8 << 10 // read of an answer that is none
)

// newHTTP returns given, or a client of our own, that does not follow a
// redirect to another host: the operator named this one.
func newHTTP(given *http.Client) *http.Client {
	h := http.Client{}
	if given != nil {
		h = *given
	}
	if h.CheckRedirect == nil {
		h.CheckRedirect = func(r *http.Request, via []*http.Request) error {
			if len(via) >= 5 || r.URL.Hostname() != via[0].URL.Hostname() {
				return http.ErrUseLastResponse
			}
			return nil
		}
	}
	return &h
}

// get returns the body of the server's answer to query.
func (c *Client) get(ctx context.Context, query string) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	u := c.search
	u.RawQuery = c.values(query).Encode()
	r, err := http.NewRequestWithContext(limited, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, c.fault(ctx, limited, err)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "hopstream")
	res, err := c.http.Do(r)
	if err != nil {
		return nil, c.fault(ctx, limited, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		page, _ := io.ReadAll(io.LimitReader(res.Body, maxError))
		return nil, c.refusal(res, string(page))
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return nil, c.fault(ctx, limited, err)
	}
	if len(body) > maxBody {
		return nil, c.permanent("its answer is larger than %d MiB", maxBody>>20)
	}
	if start := strings.TrimSpace(string(body[:min(len(body), 512)])); strings.HasPrefix(start, "<") {
		return nil, c.permanent("it answers with a page and not with JSON: is this SearXNG's address? %s", excerpt(start))
	}
	return body, nil
}

func (c *Client) values(query string) url.Values {
	v := url.Values{"q": {query}, "format": {"json"}}
	set := func(name string, values ...string) {
		if joined := strings.Join(values, ","); joined != "" {
			v.Set(name, joined)
		}
	}
	set("engines", c.opts.Engines...)
	set("categories", c.opts.Categories...)
	set("language", c.opts.Language)
	set("time_range", c.opts.TimeRange)
	return v
}

// words returns query without what SearXNG takes for commands: a word that
// begins with "!" chooses engines or, with "!!", another site altogether, ":"
// a language and "<" a time limit ("?" added engines once).
func words(query string) string {
	var out []string
	size := 0
	for _, word := range strings.Fields(line(query, 4*maxQuery)) {
		if word = strings.TrimLeft(word, "!:<?"); word == "" {
			continue
		}
		if size += len(word) + 1; size > maxQuery {
			break
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func (c *Client) errorf(format string, args ...any) error {
	return fmt.Errorf("SearXNG at %s: %w", c.server, fmt.Errorf(format, args...))
}
