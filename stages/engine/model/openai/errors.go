package openai

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// maxExcerpt bounds what an error quotes of a server's words.
const maxExcerpt = 300

// Words by which the servers say that a prompt is too long. The first are
// plain whatever the status: llama.cpp's server has used 400, 500 and 200. The
// others count only where the request is refused.
var (
	tooLong = []string{"exceeds the available context size", "exceed_context_size_error", "context_length_exceeded",
		"maximum context length", "maximum model length", "is too large to process"}
	tooLongRefused = []string{"context length", "context size", "context window", "prompt is too long"}
)

// fail gives an answer that is no reply its class:
//
//   - 429, 503: unavailable, for as long as Retry-After says
//   - 401, 403: permanent, it is the key's fault
//   - a web page, in an API's place: transient, a proxy speaks for a server
//     that will be back
//   - a prompt that does not fit: permanent, wraps model.ErrTooLong
//   - an unknown model: permanent, a *model.UnknownModelError
//   - 408, 425 and 5xx but 501: transient
//   - every other status: permanent
func (c *Client) fail(a *answer) error {
	p := parseProblem(a.body)
	status := a.status
	if status/100 == 2 {
		status = p.status
	}
	said := fmt.Sprintf("%d %s", status, http.StatusText(status))
	if status == 0 {
		said = "an error with status 200"
	}
	words := strings.ToLower(p.text + " " + p.code + " " + p.kind)
	refused := status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
	err := c.errorf("%s: %s", said, p.text)
	switch {
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return fault.AsUnavailable(err, retryAfter(a.header.Get("Retry-After")))
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		// The server's words are left out: hosted ones repeat part of the key.
		return fault.AsPermanent(c.errorf("the server refused the API key: set models.<role>.api_key (%s)", said))
	case status/100 == 3:
		return fault.AsPermanent(c.errorf("%s: set models.<role>.url to where the server is", said))
	case a.html():
		return c.errorf("a web page in place of an answer, from a proxy perhaps (%d): %s", a.status, p.text)
	case containsAny(words, tooLong), refused && containsAny(words, tooLongRefused), status == http.StatusRequestEntityTooLarge:
		return fault.Permanentf("%s: %w (%s)", c.server, model.ErrTooLong, c.clean(p.text))
	case status == http.StatusNotFound && strings.Contains(words, "model"), strings.Contains(words, "model_not_found"):
		return c.unknown(c.clean(fmt.Sprintf("set models.<role>.name (the server says: %s)", p.text)))
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == 0,
		status >= 500 && status != http.StatusNotImplemented:
		return err
	}
	return fault.AsPermanent(err)
}

// lost gives a request that got no whole answer its class. The end of ctx is
// kept for errors.Is; of other errors only the words are.
func (c *Client) lost(ctx context.Context, err error) error {
	ended := ctx.Err()
	if deadline, ok := ctx.Deadline(); ok && ended == nil && !time.Now().Before(deadline) {
		ended = context.DeadlineExceeded // a socket's deadline may strike before the context's timer
	}
	if ended != nil {
		return fmt.Errorf("%s: %w", c.server, ended)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address, which may carry a query
	}
	said := c.errorf("no answer: %v", err)
	op, isOp := errors.AsType[*net.OpError](err)
	_, isCert := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case isOp && (op.Op == "dial" || op.Op == "proxyconnect"), // refused, no such host, no way there
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, io.EOF): // hung up before the first byte
		return fault.AsUnavailable(said, 0)
	case isCert, errors.Is(err, http.ErrSchemeMismatch):
		return fault.AsPermanent(said)
	}
	return said
}

func (c *Client) unknown(remedy string) error {
	return fault.AsPermanent(&model.UnknownModelError{Model: c.model, Server: c.server, Remedy: remedy})
}

// errorf is a transient error that names the server; its text is clean.
func (c *Client) errorf(format string, args ...any) error {
	return errors.New(c.server + ": " + c.clean(fmt.Sprintf(format, args...)))
}

// clean makes one short printable line of what others wrote, without the key.
func (c *Client) clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(s, ""))
	s = c.scrub(strings.Join(strings.Fields(s), " "))
	if len(s) <= maxExcerpt {
		return s
	}
	end := maxExcerpt - len("…")
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// scrubber returns what takes key out of a text, as it is and as JSON and URLs
// write it.
func scrubber(key string) func(string) string {
	if key == "" {
		return func(s string) string { return s }
	}
	const mark = "[key]"
	return strings.NewReplacer(key, mark, strings.ReplaceAll(key, "/", `\/`), mark, url.QueryEscape(key), mark).Replace
}

// retryAfter reads the header of that name: seconds or a date, at most a
// minute. 1 s where it says nothing of use.
func retryAfter(h string) time.Duration {
	const least, most = time.Second, time.Minute
	wait := time.Duration(0)
	if seconds, err := strconv.ParseFloat(h, 64); err == nil {
		wait = time.Duration(min(seconds, most.Seconds()) * float64(time.Second))
	} else if at, err := http.ParseTime(h); err == nil {
		wait = time.Until(at)
	}
	if wait <= 0 {
		return least
	}
	return min(wait, most)
}

// problem is what a server says went wrong.
type problem struct {
	set        bool // the body is an error, whatever the status
	text       string
	code, kind string
	status     int // where the code is one
}

// parseProblem reads the forms in use: {"error":{…}} of OpenAI, llama.cpp and
// vLLM, {"error":"…"} of LM Studio, {"object":"error",…} of older vLLM, and
// {"detail":…} of its framework. Of anything else the body is the text.
func parseProblem(body []byte) problem {
	type details struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"`
	}
	var top struct {
		details
		Object string          `json:"object"`
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	p := problem{text: string(body)}
	if json.Unmarshal(body, &top) != nil {
		return p
	}
	d := top.details
	p.set = top.Object == "error"
	if len(top.Error) > 0 && !bytes.Equal(top.Error, []byte("null")) {
		p.set = true
		if d = (details{}); json.Unmarshal(top.Error, &d) != nil && json.Unmarshal(top.Error, &d.Message) != nil {
			d.Message = string(top.Error)
		}
	} else if d.Message == "" && json.Unmarshal(top.Detail, &d.Message) != nil {
		d.Message = string(top.Detail)
	}
	if d.Message != "" {
		p.text = d.Message
	}
	p.kind, p.code = d.Type, strings.Trim(string(d.Code), `"`)
	if n, err := strconv.Atoi(p.code); err == nil && n >= 400 && n < 600 {
		p.status = n
	}
	return p
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
