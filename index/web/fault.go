package web

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"hopstream/messages/fault"
)

// maxWait is the longest that a server can make us wait.
const maxWait = 10 * time.Minute

// busyWait is how long a busy server is left alone that does not say how long.
const busyWait = 5 * time.Second

func (c *Client) permanent(format string, args ...any) error {
	return fault.AsPermanent(c.errorf(format, args...))
}

// fault gives an error of a request that got no answer, or half of one, its
// class. ctx is the caller's, limited the request's.
func (c *Client) fault(ctx, limited context.Context, err error) error {
	if ctx.Err() != nil { // whatever else is said
		return c.errorf("%w", ctx.Err())
	}
	if limited.Err() != nil {
		return fault.AsUnavailable(c.errorf("no answer within %v: %w", c.opts.Timeout, limited.Err()), 0)
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the query
	}
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	if untrusted || errors.Is(err, http.ErrSchemeMismatch) {
		return c.permanent("%w", short(err))
	}
	return fault.AsUnavailable(c.errorf("%w: is it running?", short(err)), 0)
}

// refusal is the error of an answer that is none; page is the beginning of it.
func (c *Client) refusal(res *http.Response, page string) error {
	code := res.StatusCode
	said := c.errorf("%d %s: %s", code, http.StatusText(code), excerpt(page))
	switch {
	case code == http.StatusForbidden:
		return c.permanent("403 Forbidden: JSON is off: add json to search.formats in settings.yml")
	case code == http.StatusTooManyRequests:
		said = c.errorf("429 Too Many Requests: its limiter refuses us: add this machine to botdetection.ip_lists.pass_ip in limiter.toml, or ask less often")
		return fault.AsUnavailable(said, retryAfter(res.Header))
	case code == http.StatusBadGateway, code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout, code == http.StatusRequestTimeout:
		return fault.AsUnavailable(said, retryAfter(res.Header))
	case code == http.StatusUnauthorized:
		return c.permanent("401 Unauthorized: set user and password in its address (http://USER:PASSWORD@host)")
	case code == http.StatusNotFound:
		return c.permanent("404 Not Found: is this SearXNG's address? it must be without /search")
	case code >= 300 && code < 400:
		return c.permanent("%d %s to another host, %s: set that address if it is right", code, http.StatusText(code), excerpt(res.Header.Get("Location")))
	case code < 500:
		return fault.AsPermanent(said)
	}
	return said
}

// retryAfter is how long the server asks to be left alone: seconds or a date.
func retryAfter(h http.Header) time.Duration {
	v := h.Get("Retry-After")
	wait := busyWait
	if sec, err := strconv.Atoi(v); err == nil {
		wait = time.Duration(min(max(0, sec), int(maxWait/time.Second))) * time.Second
	} else if at, err := http.ParseTime(v); err == nil {
		wait = time.Until(at)
	}
	return min(max(wait, time.Second), maxWait)
}

// short is err with a message of bounded length: net/http quotes what it
// cannot read.
func short(err error) error {
	if s := err.Error(); len(s) > maxExcerpt {
		return errors.New(excerpt(s))
	}
	return err
}

// maxExcerpt bounds what is quoted of others.
const maxExcerpt = 200

func excerpt(s string) string {
	if s = plain(s, maxExcerpt); s == "" {
		return "(nothing)"
	}
	return s
}
