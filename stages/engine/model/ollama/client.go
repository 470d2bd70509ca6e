package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// Spec says which model of which server a Client speaks to, and how.
type Spec struct {
	Model string
	// URL is the server's, as http://host:port. A user and password in it are
	// sent along and never printed.
	URL string
	// NumCtx is the context the server is to give the model, in tokens. It
	// goes out with every request: a request without it would get the
	// server's default, and one with another value would reload the model.
	NumCtx int
	// Options are the model's, such as temperature. num_ctx and num_predict
	// among them are overruled.
	Options map[string]any
	// KeepAlive is how long the server keeps the model loaded after a request:
	// a Go duration or a number of seconds, "-1" for ever, "" as the server
	// likes.
	KeepAlive string
	// Think is "true", "low", "medium" or "high" for a model that is to think
	// before it answers; "" and "false" forbid it.
	Think string
	// Logprobs asks for the log probabilities of a reply's tokens.
	Logprobs bool
	// HTTP makes the requests; nil for a client of our own. Whoever gives one
	// closes it.
	HTTP *http.Client
}

// Client is a model.Client on Ollama's own protocol.
type Client struct {
	model     string
	base      *url.URL
	server    string // base, fit to be printed
	options   map[string]any
	keepAlive *api.Duration
	think     *api.ThinkValue
	logprobs  bool

	http *http.Client
	api  *api.Client
	own  *http.Transport // nil where the caller brought an http.Client
}

var _ model.Client = (*Client)(nil)

// NewClient returns a client of the model that spec names. It does not ask the
// server anything. An error says what in spec cannot be used; it is a
// permanent fault.
func NewClient(spec Spec) (*Client, error) {
	c := &Client{model: spec.Model, logprobs: spec.Logprobs}
	var err error
	if c.model == "" {
		return nil, fault.Permanentf("ollama: no model is named")
	}
	if c.base, err = parseServer(spec.URL); err != nil {
		return nil, fault.AsPermanent(err)
	}
	c.server = c.base.Redacted()
	if spec.NumCtx <= 0 {
		return nil, fault.Permanentf("ollama: model %s: num_ctx is %d: it must be above 0", c.model, spec.NumCtx)
	}
	c.options = maps.Clone(spec.Options)
	if c.options == nil {
		c.options = map[string]any{}
	}
	c.options["num_ctx"] = spec.NumCtx
	delete(c.options, "num_predict") // each request has its own
	if _, err := json.Marshal(c.options); err != nil {
		return nil, fault.Permanentf("ollama: model %s: options: %w", c.model, err)
	}
	if c.keepAlive, err = parseKeepAlive(spec.KeepAlive); err != nil {
		return nil, fault.AsPermanent(err)
	}
	if c.think, err = parseThink(spec.Think); err != nil {
		return nil, fault.AsPermanent(err)
	}
	c.http, c.own = newHTTP(spec.HTTP)
	c.api = api.NewClient(c.base, c.http)
	return c, nil
}

// Close closes the connections that wait for a next request. Requests under
// way go on, and a closed client can still be used.
func (c *Client) Close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

// Version returns the server's version. The errors are those of Chat.
func (c *Client) Version(ctx context.Context) (string, error) {
	n := &note{limit: bodyLimit}
	v, err := c.api.Version(n.in(ctx))
	if err != nil {
		return "", c.fault(ctx, n, err)
	}
	return v, nil
}

// Check asks the server whether it has the model. The errors are those of
// Chat. What the model is able to do is not judged: servers tell it in
// different words or not at all, and a request that asks too much of a model
// is told so.
func (c *Client) Check(ctx context.Context) error {
	n := &note{limit: bodyLimit}
	_, err := c.api.Show(n.in(ctx), &api.ShowRequest{Model: c.model})
	return c.fault(ctx, n, err)
}

func parseServer(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		// The parser's error repeats its input, which may hold a password.
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err
		}
		return nil, fmt.Errorf("ollama: the server's URL cannot be read: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		if strings.Contains(s, "@") { // what is a password in it cannot be told
			s = "not a web address"
		}
		return nil, fmt.Errorf("ollama: the server's URL is %q: it must be like http://127.0.0.1:11434", s)
	}
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

func parseKeepAlive(s string) (*api.Duration, error) {
	if s == "" {
		return nil, nil
	}
	if seconds, err := strconv.ParseInt(s, 10, 32); err == nil {
		return &api.Duration{Duration: time.Duration(seconds) * time.Second}, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return nil, fmt.Errorf("ollama: keep_alive is %q: it must be a duration such as 10m, a number of seconds, or -1 for ever", s)
	}
	return &api.Duration{Duration: d}, nil
}

func parseThink(s string) (*api.ThinkValue, error) {
	switch s {
	case "", "false":
		return &api.ThinkValue{Value: false}, nil
	case "true":
		return &api.ThinkValue{Value: true}, nil
	case "low", "medium", "high":
		return &api.ThinkValue{Value: s}, nil
	}
	return nil, fmt.Errorf("ollama: think is %q: it must be true, false, low, medium or high", s)
}
