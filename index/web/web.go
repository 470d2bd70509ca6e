package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Options say which server is asked, and how.
type Options struct {
	// URL is the server's address, like http://127.0.0.1:8888, with a user and
	// password if it wants them. It may be anywhere, on this machine too.
	URL string
	// Engines, Categories, Language and TimeRange (day, week, month or year)
	// go into every request; the server decides what is empty.
	Engines    []string
	Categories []string
	Language   string
	TimeRange  string

	Timeout    time.Duration // of a request; 10 s
	PerSecond  float64       // requests, on average; 2, and below 0 no limit
	Burst      int           // requests at once; 5
	MaxResults int           // passages per search, whatever is asked for; 10

	HTTP   *http.Client // nil: one that follows no redirect to another host
	Logger *slog.Logger // nil: none
	// OnUnresponsive is told, after each search, of every engine behind the
	// server that did not answer it. It is called by several searches at once.
	OnUnresponsive func(engine, reason string)
}

// Client asks one SearXNG server. It is safe for concurrent use.
type Client struct {
	opts   Options
	search url.URL
	server string // as errors name it: without user and password
	http   *http.Client
	limit  *rate.Limiter

	mu     sync.Mutex
	warned time.Time // when engines were last complained about
}

// New returns a client for o's server, which is not asked yet. It fails if the
// options make no sense.
func New(o Options) (*Client, error) {
	u, err := url.Parse(strings.TrimSpace(o.URL))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fmt.Errorf("SearXNG's address must be like http://127.0.0.1:8888 or https://search.example.org")
	}
	if !slices.Contains([]string{"", "day", "week", "month", "year"}, o.TimeRange) {
		return nil, fmt.Errorf("time range %q: must be day, week, month or year", o.TimeRange)
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.PerSecond == 0 {
		o.PerSecond = 2
	}
	if o.Burst <= 0 {
		o.Burst = 5
	}
	if o.MaxResults <= 0 {
		o.MaxResults = 10
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	limit := rate.NewLimiter(rate.Limit(o.PerSecond), o.Burst)
	if o.PerSecond < 0 {
		limit.SetLimit(rate.Inf)
	}
	base := url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/search"), "/")}
	c := &Client{opts: o, server: base.String(), http: newHTTP(o.HTTP), limit: limit}
	c.search = base
	c.search.Path, c.search.User = base.Path+"/search", u.User
	return c, nil
}

// Search returns what the server's engines show of the k best pages, best
// first; a passage's ID is its page's address. Commands of SearXNG's in the
// query are taken for words.
//
// It fails permanently where the server cannot serve us, and as unavailable
// where it, or every engine behind it, is away, busy or too slow.
func (c *Client) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	query = words(query)
	k = min(k, c.opts.MaxResults)
	if query == "" || k <= 0 {
		return nil, nil
	}
	if err := c.limit.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.AsUnavailable(fmt.Errorf("more than %g searches per second are asked of %s", c.opts.PerSecond, c.server), 0)
	}
	body, err := c.get(ctx, query)
	if err != nil {
		return nil, err
	}
	page, err := decode(body)
	if err != nil {
		return nil, fmt.Errorf("SearXNG at %s: %w", c.server, err)
	}
	c.tellUnresponsive(page.unresponsive)
	passages := page.passages(k)
	if len(passages) == 0 && c.nobodyAnswered(page.unresponsive) {
		return nil, fault.AsUnavailable(fmt.Errorf("SearXNG at %s: no engine answered: %s", c.server, list(page.unresponsive)), 0)
	}
	return passages, nil
}

// nobodyAnswered tells whether all engines asked are among those that did not
// answer. Where the server chose them, we do not know the others, and nothing
// found is then not known to be true.
func (c *Client) nobodyAnswered(away []unresponsive) bool {
	for _, name := range c.opts.Engines {
		if !slices.ContainsFunc(away, func(u unresponsive) bool { return strings.EqualFold(u.engine, strings.TrimSpace(name)) }) {
			return false
		}
	}
	return len(away) > 0
}

// tellUnresponsive passes on which engines did not answer, and says so in the
// log once a minute at most.
func (c *Client) tellUnresponsive(away []unresponsive) {
	if len(away) == 0 {
		return
	}
	if c.opts.OnUnresponsive != nil {
		for _, u := range away {
			c.opts.OnUnresponsive(u.engine, u.reason)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); c.warned.IsZero() || now.Sub(c.warned) >= time.Minute {
		c.warned = now
		c.opts.Logger.Warn("search engines did not answer", "server", c.server, "engines", list(away))
	}
}
