package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// busyWait is how long a busy server is left alone that does not say how long.
const busyWait = time.Second

// fault gives an error of a request its class and says which server it is
// about.
func (c *Client) fault(ctx context.Context, n *note, err error) error {
	if err == nil {
		return nil
	}
	// An error that comes after the caller's time is over or the caller has
	// gone is about that, whatever it says.
	if ctx.Err() != nil {
		if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
			return fmt.Errorf("ollama at %s: %w: %w", c.server, ctx.Err(), cause)
		}
		return fmt.Errorf("ollama at %s: %w", c.server, ctx.Err())
	}
	if s, ok := errors.AsType[api.StatusError](err); ok {
		return c.refusal(n.status, s.ErrorMessage, n)
	}
	if _, ok := errors.AsType[api.AuthorizationError](err); ok {
		return c.refusal(n.status, errorText(n.head), n)
	}
	if s, ok := errors.AsType[streamError](err); ok && tooLong(string(s)) {
		return c.tooLong(string(s))
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the URL, which is said below
	}
	if n.status == 0 && away(err) {
		return fault.AsUnavailable(fmt.Errorf("no answer from %s: %w: is Ollama running? start it with: ollama serve", c.server, err), 0)
	}
	_, syntax := errors.AsType[*json.SyntaxError](err)
	_, typ := errors.AsType[*json.UnmarshalTypeError](err)
	if syntax || typ {
		err = strangeError(excerpt(string(n.head)))
	}
	if s := err.Error(); len(s) > 2*maxExcerpt { // net/http quotes a line that is not HTTP in full
		err = errors.New(excerpt(s))
	}
	return fmt.Errorf("ollama at %s: model %s: %w", c.server, c.model, err)
}

// refusal is the error for an answer of status 400 and above. text is what the
// server says; it may be a page.
func (c *Client) refusal(status int, text string, n *note) error {
	text = excerpt(text)
	said := fmt.Errorf("ollama at %s: model %s: %d %s: %s", c.server, c.model, status, http.StatusText(status), text)
	switch {
	case status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		after := n.after
		if after == 0 {
			after = busyWait
		}
		return fault.AsUnavailable(said, after)
	case tooLong(text):
		return c.tooLong(text)
	case status == http.StatusNotFound && modelMissing(text):
		return fault.AsPermanent(&model.UnknownModelError{Model: c.model, Server: c.server, Remedy: "ollama pull " + c.model})
	case status == http.StatusNotFound:
		return fault.Permanentf("%w: is this Ollama's address? it must be like http://127.0.0.1:11434, without /api", said)
	case status == http.StatusUnauthorized:
		return fault.Permanentf("%w: set a user and password in the server's URL (http://USER:PASSWORD@host:port); for a model in the cloud, run on the server: ollama signin", said)
	case status == http.StatusForbidden:
		return fault.Permanentf("%w: the server does not admit us: set OLLAMA_HOST=0.0.0.0 and OLLAMA_ORIGINS on the server, or the user and password in its URL (http://USER:PASSWORD@host:port)", said)
	// The three are about the moment and not about the request: a proxy's or
	// the server's own time limit, and Ollama's word for a request it dropped.
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == 499:
		return said
	case status < 500:
		return fault.AsPermanent(said)
	}
	return said
}

func (c *Client) tooLong(said string) error {
	return fault.Permanentf("ollama at %s: model %s: %w: %s", c.server, c.model, model.ErrTooLong, said)
}

// away tells whether err, of a request that got no answer, means that nothing
// answers there.
func away(err error) bool {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return true
	}
	if e, ok := errors.AsType[*net.OpError](err); ok && (e.Op == "dial" || e.Op == "proxyconnect") {
		return true
	}
	for _, e := range []error{
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE,
		syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ETIMEDOUT,
		io.EOF, io.ErrUnexpectedEOF, // closed before a word: a server that goes down
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// The texts of servers that cannot fit a prompt. "context deadline exceeded"
// is not one of them.
var (
	aboutContext = regexp.MustCompile(`(?i)context (length|size|window|limit)|n_ctx|num_ctx|(prompt|input) (is )?too long`)
	aboutExcess  = regexp.MustCompile(`(?i)exceed|too long|too large|longer|larger|greater|does not fit`)
)

func tooLong(text string) bool {
	return aboutContext.MatchString(text) && aboutExcess.MatchString(text)
}

func modelMissing(text string) bool {
	text = strings.ToLower(text)
	return !strings.HasPrefix(text, "<") && strings.Contains(text, "model") &&
		(strings.Contains(text, "not found") || strings.Contains(text, "pull"))
}

// errorText returns what an answer of status 400 and above says.
func errorText(page []byte) string {
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(page, &e) == nil {
		if s := errorValue(e.Error); s != "" {
			return s
		}
	}
	return string(page)
}

// errorValue reads an error's value: Ollama's is a string, that of others an
// object with a message.
func errorValue(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" || string(raw) == `""` {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var o struct{ Message string }
	if json.Unmarshal(raw, &o) == nil && o.Message != "" {
		return o.Message
	}
	return string(raw)
}

const maxExcerpt = 200

// excerpt is the beginning of a text in one line that can be printed.
func excerpt(text string) string {
	if len(text) > 4*maxExcerpt {
		text = text[:4*maxExcerpt]
	}
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == 0x7f {
			return ' '
		}
		return r
	}, text)), " ")
	if len(text) <= maxExcerpt {
		return text
	}
	cut := maxExcerpt
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
