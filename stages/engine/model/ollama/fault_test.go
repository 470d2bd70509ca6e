package ollama

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

func TestTrapModelMissing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`model 'm' not found`, `model "m" not found, try pulling it first`} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) { refuse(w, 404, text) })
		_, chat := c.Chat(t.Context(), hello())
		_, embed := c.Embed(t.Context(), []string{"x"})
		for _, err := range []error{chat, embed, c.Check(t.Context())} {
			wantClass(t, err, fault.Permanent, c.server, "ollama pull m")
			if e, ok := errors.AsType[*model.UnknownModelError](err); !ok || e.Model != "m" || e.Server != c.server {
				t.Errorf("%#v", e)
			}
		}
	}
}

// A wrong address answers 404 too.
func TestTrapNotOllama(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	_, err := c.Chat(t.Context(), hello())
	wantClass(t, err, fault.Permanent, "without /api", "404 page not found")
	if _, ok := errors.AsType[*model.UnknownModelError](err); ok {
		t.Error("taken for a missing model")
	}
}

func TestTrapServerBusy(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusTooManyRequests} {
		for header, want := range map[string]time.Duration{"": time.Second, "3": 3 * time.Second} {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if header != "" {
					w.Header().Set("Retry-After", header)
				}
				refuse(w, status, "server busy, please try again.  maximum pending requests exceeded")
			})
			_, chat := c.Chat(t.Context(), hello())
			_, embed := c.Embed(t.Context(), []string{"x"})
			for _, err := range []error{chat, embed, c.Check(t.Context())} {
				wantClass(t, err, fault.Unavailable, "server busy", c.server)
				if _, after := fault.Of(err); after != want {
					t.Errorf("wait %v, want %v", after, want)
				}
			}
		}
	}
}

func TestTrapPromptTooLong(t *testing.T) {
	t.Parallel()
	for text, status := range map[string]int{
		"the input length exceeds the context length":    400,
		"input length exceeds maximum context length":    400,
		"the prompt is too long: 9000 tokens, max n_ctx": 500,
		"context size exceeded":                          200, // in the stream
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) { refuse(w, status, text) })
		_, err := c.Chat(t.Context(), hello())
		if wantClass(t, err, fault.Permanent, text, c.server); !errors.Is(err, model.ErrTooLong) {
			t.Error(err)
		}
		if _, err := c.Embed(t.Context(), []string{"x"}); status != 200 && !errors.Is(err, model.ErrTooLong) {
			t.Error(err)
		}
	}
	for _, text := range []string{"invalid format: expected \"json\"", "context deadline exceeded", "maximum pending requests exceeded"} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) { refuse(w, 400, text) })
		_, err := c.Chat(t.Context(), hello())
		if wantClass(t, err, fault.Permanent, text); errors.Is(err, model.ErrTooLong) {
			t.Error(err)
		}
	}
}

func TestTrapRefused(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	for _, at := range []string{s.URL, "http://no-such-host.invalid:11434"} {
		c, err := NewClient(Spec{Model: "m", URL: strings.Replace(at, "//", "//ann:s3cret@", 1), NumCtx: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		_, chat := c.Chat(t.Context(), hello())
		_, embed := c.Embed(t.Context(), []string{"x"})
		_, version := c.Version(t.Context())
		for _, err := range []error{chat, embed, version, c.Check(t.Context())} {
			wantClass(t, err, fault.Unavailable, strings.Replace(at, "//", "//ann:xxxxx@", 1), "is Ollama running?", "ollama serve")
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("a password is printed: %v", err)
			}
		}
	}
}

// A server that goes down takes a request and closes without a word.
func TestTrapClosedWithoutAnswer(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	_, err := c.Chat(t.Context(), hello())
	wantClass(t, err, fault.Unavailable, "is Ollama running?")
	_, err = c.Embed(t.Context(), []string{"x"})
	wantClass(t, err, fault.Unavailable, "is Ollama running?")
}

func TestTrapNotAdmitted(t *testing.T) {
	t.Parallel()
	for status, says := range map[int]string{401: "USER:PASSWORD", 403: "OLLAMA_ORIGINS"} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) { refuse(w, status, "no entry") })
		_, chat := c.Chat(t.Context(), hello())
		_, embed := c.Embed(t.Context(), []string{"x"})
		for _, err := range []error{chat, embed, c.Check(t.Context())} {
			wantClass(t, err, fault.Permanent, says, "no entry")
		}
	}
}

func TestTrapOtherStatus(t *testing.T) {
	t.Parallel()
	for status, class := range map[int]fault.Class{
		400: fault.Permanent, 405: fault.Permanent, 413: fault.Permanent, 422: fault.Permanent,
		408: fault.Transient, 499: fault.Transient, 500: fault.Transient, 501: fault.Transient,
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) { refuse(w, status, "because") })
		_, err := c.Chat(t.Context(), hello())
		wantClass(t, err, class, "because", fmt.Sprint(status))
	}
}

// A server restarts between two requests: the kept connection is dead, and
// nobody is to notice.
func TestTrapKeptConnectionDies(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { say(w, done("stop")) }))
	defer s.Close()
	c, err := NewClient(Spec{Model: "m", URL: s.URL, NumCtx: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 20 {
		if _, err := c.Chat(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		s.CloseClientConnections()
	}
}

// Something else listens there, and its first line is long.
func TestTrapNotHTTP(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 1))
			io.WriteString(conn, "ERR {"+strings.Repeat("x", 3000)+"}\r\n")
			conn.(*net.TCPConn).CloseWrite()
			io.Copy(io.Discard, conn)
			conn.Close()
		}
	}()
	defer func() { l.Close(); <-ended }()
	c, err := NewClient(Spec{Model: "m", URL: "http://" + l.Addr().String(), NumCtx: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Chat(t.Context(), hello())
	wantClass(t, err, fault.Transient, "malformed HTTP", c.server)
	wantClass(t, c.Check(t.Context()), fault.Transient, "malformed HTTP", c.server)
}
