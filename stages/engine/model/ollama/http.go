package ollama

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The bounds of what a server may send. api.Client reads an answer whole,
// however long it is; the transport stops it.
const (
	bodyLimit    = 16 << 20
	vectorLimit  = 256 << 10 // a vector of 16,000 numbers
	maxErrorPage = 64 << 10
	maxHead      = 512
)

// errTooLarge says that an answer goes beyond its bound.
var errTooLarge = errors.New("the answer is too large")

// newHTTP returns the client that makes the requests: a wrapped copy of given,
// or one of our own together with its transport. There is no time limit in it:
// a request's context bounds the request, and how long a model may take is not
// known here.
func newHTTP(given *http.Client) (*http.Client, *http.Transport) {
	if given != nil {
		h := *given
		base := h.Transport
		if base == nil {
			base = http.DefaultTransport
		}
		h.Transport = &transport{base: base}
		return &h, nil
	}
	own := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxIdleConnsPerHost:    64, // the default of 2 would dial anew for all but two at a time
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // pieces of a stream are to arrive when they are sent
	}
	return &http.Client{Transport: &transport{base: own}}, own
}

// note is what api.Client does not tell about an answer. It travels in the
// request's context to the transport, which fills it in.
type note struct {
	limit  int64 // of the body
	status int   // 0 until there is an answer
	after  time.Duration
	head   []byte // the body's first bytes
}

type noteKey struct{}

func (n *note) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, noteKey{}, n)
}

type transport struct{ base http.RoundTripper }

// RoundTrip takes notes and bounds the body.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	n, ok := r.Context().Value(noteKey{}).(*note)
	if !ok {
		return t.base.RoundTrip(r)
	}
	// A kept connection may turn out to be closed by the server. The header,
	// which is not sent, lets net/http use a new one instead of failing: to
	// ask a model twice does no harm.
	r = r.Clone(r.Context())
	r.Header["Idempotency-Key"] = nil
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	n.status = resp.StatusCode
	n.after = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	n.head = nil
	resp.Body = &body{ReadCloser: resp.Body, n: n, left: n.limit}
	return resp, nil
}

type body struct {
	io.ReadCloser
	n    *note
	left int64
}

func (b *body) Read(p []byte) (int, error) {
	k, err := b.ReadCloser.Read(p)
	if room := maxHead - len(b.n.head); room > 0 {
		b.n.head = append(b.n.head, p[:min(k, room)]...)
	}
	if b.left -= int64(k); b.left < 0 {
		return 0, errTooLarge
	}
	return k, err
}

// maxRetryAfter bounds the wait that a server may ask for: a date from a server
// whose clock is wrong could stop the work for a day.
const maxRetryAfter = 5 * time.Minute

// retryAfter reads the header of that name, a number of seconds or a date. It
// returns 0 for none.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseInt(header, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(maxRetryAfter/time.Second))) * time.Second
	}
	if t, err := http.ParseTime(header); err == nil {
		return min(max(t.Sub(now), 0), maxRetryAfter)
	}
	return 0
}
