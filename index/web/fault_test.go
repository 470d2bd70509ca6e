package web_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hopstream/index/web"
	"hopstream/messages/fault"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		header map[string]string
		body   string
		class  fault.Class
		after  time.Duration
		says   string
	}{
		"JSON is off":             {status: 403, body: "<!doctype html><title>403 Forbidden</title>", class: fault.Permanent, says: "JSON is off: add json to search.formats in settings.yml"},
		"the limiter":             {status: 429, class: fault.Unavailable, after: 5 * time.Second, says: "limiter"},
		"the limiter, for a time": {status: 429, header: map[string]string{"Retry-After": "30"}, class: fault.Unavailable, after: 30 * time.Second, says: "429"},
		"for ever":                {status: 503, header: map[string]string{"Retry-After": "99999999"}, class: fault.Unavailable, after: 10 * time.Minute, says: "503"},
		"until last year":         {status: 503, header: map[string]string{"Retry-After": "Mon, 02 Jan 2006 15:04:05 GMT"}, class: fault.Unavailable, after: time.Second, says: "503"},
		"a proxy":                 {status: 502, body: "upstream", class: fault.Unavailable, after: 5 * time.Second, says: "502 Bad Gateway: upstream"},
		"a password":              {status: 401, class: fault.Permanent, says: "USER:PASSWORD"},
		"another address":         {status: 404, class: fault.Permanent, says: "is this SearXNG's address?"},
		"a bad parameter":         {status: 400, body: "Invalid value for language", class: fault.Permanent, says: "Invalid value for language"},
		"its own bug":             {status: 500, body: strings.Repeat("<p>trace</p>", 10_000), class: fault.Transient, says: "500"},
		"a redirect":              {status: 302, header: map[string]string{"Location": "https://login.example.org/"}, class: fault.Permanent, says: "to another host, https://login.example.org/"},
		"a page":                  {status: 200, body: "\n<!DOCTYPE html><html><title>Welcome</title>", class: fault.Permanent, says: "is this SearXNG's address?"},
		"other JSON":              {status: 200, body: `{"status":"ok"}`, class: fault.Permanent, says: "no results"},
		"null":                    {status: 200, body: `null`, class: fault.Permanent, says: "no results"},
		"half an answer":          {status: 200, body: `{"results":[{"url":"https://a.org"`, class: fault.Transient, says: "cannot be read"},
		"nothing":                 {status: 200, class: fault.Transient, says: "cannot be read"},
		"another type":            {status: 200, body: `{"results":{"a":1}}`, class: fault.Transient, says: "cannot be read"},
		"too much":                {status: 200, body: `{"results":[` + strings.Repeat(" ", 5<<20), class: fault.Permanent, says: "larger than 4 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cl, at := serve(t, func(w http.ResponseWriter, r *http.Request) {
				for k, v := range c.header {
					w.Header().Set(k, v)
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}, web.Options{})
			_, err := cl.Search(t.Context(), "secret question", 3)
			if class, after := fault.Of(err); err == nil || class != c.class || after != c.after {
				t.Fatalf("%v is %v after %v", err, class, after)
			}
			if s := err.Error(); !strings.Contains(s, c.says) || !strings.HasPrefix(s, "SearXNG at "+at+": ") || len(s) > 500 || strings.Contains(s, "secret") {
				t.Errorf("%d bytes: %s", len(s), s)
			}
		})
	}
}

// TestAway holds that a server that is not there, closes the line or is too
// slow is waited for, and that one nobody trusts is not.
func TestAway(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	hangup := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer hangup.Close()
	half := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"results":`))
	}))
	defer half.Close()
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer slow.Close()
	defer close(release)
	tls := httptest.NewTLSServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer tls.Close()
	for name, c := range map[string]struct {
		url   string
		class fault.Class
		late  bool
	}{
		"refused":         {gone.URL, fault.Unavailable, false},
		"hangs up":        {hangup.URL, fault.Unavailable, false},
		"stops half-way":  {half.URL, fault.Unavailable, false},
		"too slow":        {slow.URL, fault.Unavailable, true},
		"untrusted":       {tls.URL, fault.Permanent, false},
		"no TLS spoken":   {strings.Replace(half.URL, "http:", "https:", 1), fault.Permanent, false},
		"no such machine": {"http://no-such-machine.invalid", fault.Unavailable, false},
	} {
		o := web.Options{URL: c.url, Timeout: time.Minute}
		if c.late {
			o.Timeout = 100 * time.Millisecond
		}
		cl, err := web.New(o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = cl.Search(t.Context(), "x", 3)
		if class, _ := fault.Of(err); err == nil || class != c.class || c.late && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v is %v", name, err, class)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	cl, _ := web.New(web.Options{URL: slow.URL})
	_, err := cl.Search(ctx, "x", 3)
	if class, _ := fault.Of(err); class != fault.Cancelled {
		t.Errorf("the caller is gone: %v is %v", err, class)
	}
}
