package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

func wantClass(t *testing.T, err error, want fault.Class) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if got, _ := fault.Of(err); got != want {
		t.Errorf("%s: %v, want %s", got, err, want)
	}
	if !strings.Contains(err.Error(), "http://127.0.0.1:") && !strings.Contains(err.Error(), "https://127.0.0.1:") {
		t.Errorf("no server is named: %v", err)
	}
}

func TestClassOfEveryAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		status int
		body   string
		class  fault.Class
		is     error // nil: neither of the two
		says   string
	}{
		{"vLLM, too long", 400, "vllm_too_long.json", fault.Permanent, model.ErrTooLong, "8357"},
		{"vLLM of old, too long", 400, "vllm_too_long_old.json", fault.Permanent, model.ErrTooLong, "5120"},
		{"llama.cpp, too long", 400, "llamacpp_too_long.json", fault.Permanent, model.ErrTooLong, "5003"},
		{"llama.cpp, too long with status 200", 200, "llamacpp_too_long.json", fault.Permanent, model.ErrTooLong, "5003"},
		{"llama.cpp, too long for a batch, with status 500", 500, "llamacpp_embed_too_long.json", fault.Permanent, model.ErrTooLong, "1007"},
		{"LM Studio, too long", 400, "lmstudio_too_long.json", fault.Permanent, model.ErrTooLong, "n_keep"},
		{"hosted, too long", 400, "hosted_too_long.json", fault.Permanent, model.ErrTooLong, "9000"},
		{"too large a body", 413, `{"error":"Payload too large"}`, fault.Permanent, model.ErrTooLong, "Payload"},
		{"vLLM, unknown model", 404, "vllm_unknown_model.json", fault.Permanent, &model.UnknownModelError{}, "does not exist"},
		{"hosted, unknown model", 404, "hosted_unknown_model.json", fault.Permanent, &model.UnknownModelError{}, "gpt-9"},
		{"unknown model with status 400", 400, "hosted_unknown_model.json", fault.Permanent, &model.UnknownModelError{}, "gpt-9"},
		{"a path that is not there", 404, "fastapi_not_found.json", fault.Permanent, nil, "404 Not Found: Not Found"},
		{"a field that is refused", 400, "vllm_bad_field.json", fault.Permanent, nil, "extra_forbidden"},
		{"a list of details", 422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`, fault.Permanent, nil, "field required"},
		{"no key", 401, "vllm_unauthorized.json", fault.Permanent, nil, "the server refused the API key: set models.<role>.api_key"},
		{"key without rights", 403, `{"error":{"message":"no"}}`, fault.Permanent, nil, "models.<role>.api_key"},
		{"llama.cpp without embeddings", 501, "llamacpp_no_embeddings.json", fault.Permanent, nil, "--embeddings"},
		{"a redirect", 308, "", fault.Permanent, nil, "set models.<role>.url"},
		{"a request that took long", 408, "", fault.Transient, nil, "408"},
		{"a crash", 500, `{"error":{"message":"EngineCore encountered an issue","type":"InternalServerError","code":500}}`, fault.Transient, nil, "EngineCore"},
		{"a gateway", 502, "proxy.html", fault.Transient, nil, "web page"},
		{"a gateway that takes long", 504, "", fault.Transient, nil, "504 Gateway Timeout"},
		{"a proxy's page with status 200", 200, "proxy.html", fault.Transient, nil, "web page"},
		{"a proxy's page with status 404", 404, "proxy.html", fault.Transient, nil, "web page"},
		{"llama.cpp, loading", 503, "llamacpp_loading.json", fault.Unavailable, nil, "Loading model"},
		{"a proxy whose server is away", 503, "proxy.html", fault.Unavailable, nil, "503"},
		{"a limit", 429, "hosted_rate.json", fault.Unavailable, nil, "Rate limit"},
		{"a limit with status 200", 200, `{"error":{"message":"slow down","code":429}}`, fault.Unavailable, nil, "slow down"},
		{"LM Studio, unexpected endpoint with status 200", 200, "lmstudio_endpoint.json", fault.Transient, nil, "Unexpected endpoint"},
		{"no JSON", 200, "data: {}\n\n", fault.Transient, nil, "not what the API says"},
		{"JSON cut short", 200, `{"choices":[{"mess`, fault.Transient, nil, "not what the API says"},
		{"nothing", 200, "", fault.Transient, nil, "not what the API says"},
		{"no choices", 200, `{"choices":[]}`, fault.Transient, nil, "without choices"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if strings.HasSuffix(tt.body, ".json") || strings.HasSuffix(tt.body, ".html") {
				tt.body = recorded(t, tt.body)
			}
			_, err := client(t, Spec{}, answering(tt.status, tt.body)).Chat(t.Context(), hello)
			wantClass(t, err, tt.class)
			if !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want %q said", err, tt.says)
			}
			_, unknown := errors.AsType[*model.UnknownModelError](err)
			if _, want := tt.is.(*model.UnknownModelError); unknown != want {
				t.Errorf("an unknown model: %v", err)
			}
			if long := errors.Is(err, model.ErrTooLong); long != (tt.is == model.ErrTooLong) {
				t.Errorf("too long: %v", err)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	date := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for header, want := range map[string]time.Duration{
		"": time.Second, "7": 7 * time.Second, "0.5": 500 * time.Millisecond, "0": time.Second, "-3": time.Second,
		"3600": time.Minute, "99999999999999999999": time.Minute, "inf": time.Minute, "nan": time.Second, "soon": time.Second,
		date(time.Hour): time.Minute, date(-time.Hour): time.Second,
	} {
		for _, status := range []int{429, 503} {
			_, err := client(t, Spec{}, answering(status, `{}`, "Retry-After", header)).Chat(t.Context(), hello)
			if class, d := fault.Of(err); class != fault.Unavailable || d != want {
				t.Errorf("%d, %q: %s, %s; want %s", status, header, class, d, want)
			}
		}
	}
	if d := retryAfter(date(30 * time.Second)); d <= 0 || d > 30*time.Second {
		t.Errorf("a date in half a minute: %s", d)
	}
}

// raw starts a server of bytes: it reads a request's first bytes and leaves
// the rest to talk.
func raw(t *testing.T, talk func(net.Conn)) *Client {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 64<<10))
			talk(conn)
			conn.Close()
		}
	}()
	c, err := NewClient(Spec{Model: "m", URL: "http://" + l.Addr().String(), APIKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); l.Close(); <-done })
	return c
}

func TestRefusedConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(nil)
	srv.Close()
	c, err := NewClient(Spec{Model: "m", URL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{c.Check(t.Context()), second(c.Chat(t.Context(), hello)), second(c.Embed(t.Context(), []string{"a"}))} {
		wantClass(t, err, fault.Unavailable)
	}
}

func second[T any](_ T, err error) error { return err }

func TestResetConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	c := raw(t, func(conn net.Conn) { _ = conn.(*net.TCPConn).SetLinger(0) })
	wantClass(t, second(c.Chat(t.Context(), hello)), fault.Unavailable)
}

func TestHangingUpIsUnavailable(t *testing.T) {
	t.Parallel()
	c := raw(t, func(net.Conn) {})
	wantClass(t, second(c.Chat(t.Context(), hello)), fault.Unavailable)
}

func TestUnknownHostIsUnavailable(t *testing.T) {
	t.Parallel()
	failing := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "gpu", IsNotFound: true}}
	})}
	c, err := NewClient(Spec{Model: "m", URL: "http://127.0.0.1:8000", HTTP: failing})
	if err != nil {
		t.Fatal(err)
	}
	err = second(c.Chat(t.Context(), hello))
	wantClass(t, err, fault.Unavailable)
	if !strings.Contains(err.Error(), "no such host") {
		t.Error(err)
	}
}

func TestBodyCutShortIsTransient(t *testing.T) {
	t.Parallel()
	c := raw(t, func(conn net.Conn) {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choices\":")
	})
	wantClass(t, second(c.Chat(t.Context(), hello)), fault.Transient)
}

func TestCertificateNobodyKnowsIsPermanent(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(answering(200, "{}"))
	srv.Config.ErrorLog = nolog
	srv.StartTLS()
	defer srv.Close()
	c, err := NewClient(Spec{Model: "m", URL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	wantClass(t, second(c.Chat(t.Context(), hello)), fault.Permanent)
}

func TestHTTPSAgainstPlainServerIsPermanent(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(answering(200, "{}"))
	defer srv.Close()
	c, err := NewClient(Spec{Model: "m", URL: strings.Replace(srv.URL, "http:", "https:", 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	wantClass(t, second(c.Chat(t.Context(), hello)), fault.Permanent)
}

func TestEndOfContextIsVisible(t *testing.T) {
	t.Parallel()
	came := make(chan struct{})
	stuck := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server sees its client leave once the body is read
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		close(came)
		<-r.Context().Done()
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-came; cancel() }()
	err := second(client(t, Spec{}, stuck).Chat(ctx, hello))
	wantClass(t, err, fault.Cancelled)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}

	ctx, cancel = context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	err = client(t, Spec{}, answering(200, "{}")).Check(ctx)
	wantClass(t, err, fault.Transient)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	c := client(t, Spec{APIKey: testKey}, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/else") {
			t.Error("followed")
		}
		http.Redirect(w, r, "/else", http.StatusTemporaryRedirect)
	})
	wantClass(t, second(c.Chat(t.Context(), hello)), fault.Permanent)
}

func TestAnswerWithoutEndIsBounded(t *testing.T) {
	t.Parallel()
	c := client(t, Spec{}, func(w http.ResponseWriter, _ *http.Request) {
		for _, err := w.Write([]byte("{")); err == nil; {
			_, err = w.Write(make([]byte, 1<<20))
		}
	})
	err := second(c.Embed(t.Context(), []string{"a"}))
	wantClass(t, err, fault.Permanent)
	if !strings.Contains(err.Error(), "ask for less") {
		t.Error(err)
	}
}

func TestSchemaThatIsNoJSONIsPermanent(t *testing.T) {
	t.Parallel()
	c := client(t, Spec{}, answering(200, "{}"))
	_, err := c.Chat(t.Context(), &model.Chat{Schema: []byte("{")})
	wantClass(t, err, fault.Permanent)
}

func TestExcerptIsOneShortPrintableLine(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		strings.Repeat("größer\n\t\x1b[31m", 200), strings.Repeat("\xff\x00", 5000), strings.Repeat("…", 500),
		`{"error":{"message":"a\nb\r\u001b[2J` + strings.Repeat("é", 400) + `"}}`,
	} {
		err := second(client(t, Spec{}, answering(500, body)).Chat(t.Context(), hello))
		wantClass(t, err, fault.Transient)
		s := err.Error()
		if strings.ContainsAny(s, "\n\r\t\x1b\x00") || !utf8.ValidString(s) || len(s) > maxExcerpt+100 {
			t.Errorf("%d bytes: %q", len(s), s)
		}
	}
}

// TestKeyIsInNoError lets servers repeat the key in every place they have.
func TestKeyIsInNoError(t *testing.T) {
	t.Parallel()
	var clients []*Client
	for _, body := range []string{
		testKey, "<p>" + testKey, `{"error":"` + testKey + `"}`, `{"error":{"message":"x","code":"` + testKey + `"}}`,
		`{"error":{"message":"model ` + testKey + `"}}`, `{"error":{"message":"context length ` + testKey + `"}}`,
		`{"detail":"Bearer ` + testKey + `"}`, `{"object":"error","message":"` + testKey + `"}`,
		strings.ReplaceAll(testKey, "/", `\/`) + " in JSON", "?key=sk-live%2F9F%2Bw%3D%3D", "sk-\x00live/\u200b9F+w==",
		// where the excerpt ends
		strings.Repeat("x", maxExcerpt-30) + testKey, strings.Repeat("x", maxExcerpt-35) + testKey,
		`{"data":[{"id":"` + testKey + `"}]}`, `{"data":[{"embedding":"` + testKey + `"}]}`,
	} {
		for _, status := range []int{200, 307, 400, 401, 403, 404, 413, 418, 429, 500, 503} {
			clients = append(clients, client(t, Spec{APIKey: testKey}, answering(status, body,
				"Location", "http://h/?key="+testKey, "Retry-After", testKey)))
		}
	}
	for _, line := range []string{"HTTP/1.1 " + testKey, testKey, "HTTP/1.1 500 " + testKey + "\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: " + testKey, "HTTP/1.1 200 OK\r\n" + testKey} {
		clients = append(clients, raw(t, func(conn net.Conn) { io.WriteString(conn, line+"\r\n\r\n") }))
	}
	for _, c := range clients {
		for _, err := range []error{c.Check(t.Context()), second(c.Chat(t.Context(), hello)), second(c.Embed(t.Context(), []string{"a"}))} {
			for ; err != nil; err = errors.Unwrap(err) {
				// A part of the key is as bad.
				if s := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(s, "9F") || strings.Contains(s, "sk-") {
					t.Errorf("%q", s)
				}
			}
		}
	}
}
