// Package openai is a model.Client for servers that speak OpenAI's HTTP API:
// vLLM, llama.cpp's server, LM Studio and the hosted ones.
//
// The files, in the order of a call:
//
//	client.go  Spec, Client: the body of a request
//	wire.go    the request sent, the reply read
//	stream.go  … as it comes, where somebody wants to see it
//	errors.go  what a refusal means: the class of every error
//
// The servers agree on the requests and differ in how they refuse them, so
// most of the package is about refusals.
package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// Spec says which model on which server, and how to ask it.
type Spec struct {
	Model string
	// URL is the server's base, such as http://localhost:8000; /v1 is added
	// where no segment of the path names a version already.
	URL string
	// APIKey is sent as a bearer token. It appears in nothing that is printed.
	APIKey string `json:"-"`
	// Key returns the key of each request, where it may be replaced while requests
	// are made. APIKey is empty then. Its error is a request's.
	Key func() (string, error) `json:"-"`
	// Options are further fields of the body, such as seed, or dimensions of
	// an embedding model. A nil value takes a default field out: some hosted
	// models refuse temperature. max_completion_tokens takes the place of
	// max_tokens, which those models refuse as well.
	Options map[string]any
	// Logprobs asks for the reply's tokens.
	Logprobs bool
	// Think is "true" or "false", sent in chat_template_kwargs, or low, medium
	// or high, sent as reasoning_effort. Empty sends neither: the hosted APIs
	// refuse fields they do not know.
	Think string
	// HTTP makes the requests; nil for a client of this one's own.
	HTTP *http.Client `json:"-"`
}

// Format prints a Spec without its key, whatever the verb.
func (s Spec) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "%s at %s", s.Model, s.URL) }

// Client is a model.Client. The key is in a closure, where no print of a
// Client finds it.
type Client struct {
	model   string
	server  string // its name in errors: the base without user, password and query
	base    *url.URL
	options map[string]any
	chat    map[string]any // what every chat's body has besides the options
	http    *http.Client
	own     *http.Transport // nil where the spec brought its own client
	sign    func(http.Header) error
	scrub   func(string) string
	// noStream is set once the server has refused to stream.
	noStream *atomic.Bool
}

var _ model.Client = (*Client)(nil)

// reserved are the fields of a body that Options cannot set.
var reserved = []string{"model", "messages", "input", "stream", "n", "response_format", "encoding_format", "logprobs"}

var version = regexp.MustCompile(`/v[0-9][0-9a-z]*(/|$)`)

// NewClient checks a spec; it asks the server nothing. Its errors name the
// setting that is wrong and are permanent faults.
func NewClient(s Spec) (*Client, error) {
	if s.Model == "" {
		return nil, fault.Permanentf("models.<role>.name is empty")
	}
	base, err := baseOf(s.URL)
	if err != nil {
		return nil, err
	}
	key := strings.TrimSpace(s.APIKey) // a key read from a file ends in a newline
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fault.Permanentf("models.<role>.api_key holds a space or a character that no header can carry")
	}
	if err := checkOptions(s.Options); err != nil {
		return nil, err
	}
	c := &Client{
		model:   s.Model,
		server:  base.Scheme + "://" + base.Host + base.Path,
		base:    base,
		options: maps.Clone(s.Options),
		chat:    map[string]any{"temperature": 0},
		sign:    func(http.Header) error { return nil },
		scrub:   scrubber(key),

		noStream: new(atomic.Bool),
	}
	if s.Logprobs {
		c.chat["logprobs"] = true
	}
	if err := c.think(s.Think); err != nil {
		return nil, err
	}
	switch {
	case s.Key != nil:
		c.signEach(s.Key)
	case key != "":
		c.sign = func(h http.Header) error { bear(h, key); return nil }
	}
	if s.HTTP != nil {
		own := *s.HTTP
		c.http = &own
	} else {
		c.own = newTransport()
		c.http = &http.Client{Transport: c.own}
	}
	// A POST that follows a redirect becomes a GET, or is sent twice.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

// baseOf reads a server's base, to which the API's version is added where it
// has none.
func baseOf(raw string) (*url.URL, error) {
	base, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fault.Permanentf("models.<role>.url is not like http://localhost:8000/v1")
	}
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), "/chat/completions")
	if !version.MatchString(base.Path) {
		base.Path = path.Join("/", base.Path, "v1")
	}
	base.RawPath, base.Fragment = "", ""
	return base, nil
}

// checkOptions says what is wrong with further fields of a body.
func checkOptions(options map[string]any) error {
	for _, name := range reserved {
		if _, ok := options[name]; ok {
			return fault.Permanentf("models.<role>.options must not set %s", name)
		}
	}
	if _, err := json.Marshal(options); err != nil {
		return fault.Permanentf("models.<role>.options: %w", err)
	}
	return nil
}

// think sets the fields of a body that Spec.Think stands for.
func (c *Client) think(as string) error {
	switch as {
	case "":
	case "true", "false":
		c.chat["chat_template_kwargs"] = map[string]any{"enable_thinking": as == "true"}
	case "low", "medium", "high":
		c.chat["reasoning_effort"] = as
	default:
		return fault.Permanentf("models.<role>.think is %q: want true, false, low, medium, high or nothing", as)
	}
	return nil
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 32,
		// vLLM hangs up on a connection idle for 5 s; a request sent just then
		// would be lost.
		IdleConnTimeout: 4 * time.Second,
	}
}

// Close drops the idle connections. It leaves those of a spec's own HTTP
// client alone.
func (c *Client) Close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

// Chat implements model.Client. Its errors are those that fail describes; an
// answer that holds no whole reply is a transient fault.
func (c *Client) Chat(ctx context.Context, r *model.Chat) (*model.Reply, error) {
	body := maps.Clone(c.chat)
	if r.MaxTokens > 0 {
		body["max_tokens"] = r.MaxTokens
	}
	if len(r.Schema) > 0 {
		body["response_format"] = map[string]any{
			"type":        "json_schema",
			"json_schema": map[string]any{"name": "reply", "strict": true, "schema": r.Schema},
		}
	}
	maps.Copy(body, c.options)
	if c.options["max_completion_tokens"] != nil {
		delete(body, "max_tokens")
	}
	messages := make([]map[string]string, len(r.Messages))
	for i, m := range r.Messages {
		messages[i] = map[string]string{"role": m.Role, "content": m.Text}
	}
	body["messages"] = messages
	answer, err := c.completion(ctx, body, r.Text)
	if err != nil {
		return nil, err
	}
	return c.reply(answer)
}

// Embed implements model.Client. Vectors that are not one per text, all of one
// length and finite, are a transient fault.
func (c *Client) Embed(ctx context.Context, texts []string) (*model.Vectors, error) {
	if len(texts) == 0 {
		return &model.Vectors{}, nil
	}
	body := map[string]any{"input": texts, "encoding_format": "float"}
	maps.Copy(body, c.options)
	delete(body, "temperature") // meant for chats, and refused here by hosted servers
	var answer embeddings
	if err := c.post(ctx, "embeddings", body, &answer); err != nil {
		return nil, err
	}
	if len(answer.Data) != len(texts) {
		return nil, c.errorf("%d vectors for %d texts", len(answer.Data), len(texts))
	}
	vectors := make([][]float32, len(texts))
	for i, d := range answer.Data {
		if d.Index != nil {
			i = *d.Index // a server may answer in the order it got ready
		}
		if i < 0 || i >= len(vectors) || vectors[i] != nil {
			return nil, c.errorf("the vectors' index %d is out of range or there twice", i)
		}
		v, err := vector(d.Embedding)
		if err != nil {
			return nil, c.errorf("vector %d: %v", i, err)
		}
		vectors[i] = v
	}
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return nil, c.errorf("vector %d has %d numbers, the first has %d", i, len(v), len(vectors[0]))
		}
	}
	return &model.Vectors{Vectors: vectors, PromptTokens: answer.Usage.Prompt}, nil
}

// Check implements model.Client. A server that does not list its models is
// taken to have this one.
func (c *Client) Check(ctx context.Context) error {
	a, err := c.send(ctx, http.MethodGet, "models", nil)
	if err != nil {
		return err
	}
	if a.status == http.StatusNotFound || a.status == http.StatusMethodNotAllowed {
		return nil
	}
	var list models
	if err := c.read(a, &list); err != nil {
		return err
	}
	if list.Data == nil {
		return c.errorf("the list of models has no data")
	}
	names := make([]string, 0, len(list.Data))
	for _, m := range list.Data {
		if m.ID == c.model || m.ID == c.model+":latest" || slices.Contains(m.Aliases, c.model) {
			return nil
		}
		names = append(names, c.clean(m.ID))
	}
	if len(names) == 0 {
		return c.unknown("load it there; it lists no model at all")
	}
	shown := names[:min(len(names), 5)]
	return c.unknown(fmt.Sprintf("set models.<role>.name to one of the %d it has: %s", len(names), strings.Join(shown, ", ")))
}

// vector reads an embedding. A number that is not finite has no form in JSON:
// llama.cpp's server writes null for it, which decoding would make a 0. One
// too large for a float32 is decoding's error.
func vector(raw json.RawMessage) ([]float32, error) {
	if bytes.Contains(raw, []byte("null")) {
		return nil, errors.New("null where a number was due")
	}
	var v []float32
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	if len(v) == 0 {
		return nil, errors.New("it is empty")
	}
	return v, nil
}
