package weaviate

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hopstream/index"
	"hopstream/index/testkit/storetest"
	"hopstream/messages"
	"hopstream/messages/fault"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// Bleve starts these once, when the program starts, and never ends them.
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
	)
}

// fake is a server that has the classes, at position 1, and answers as told
// from then on.
type fake struct {
	*httptest.Server
	answer func(w http.ResponseWriter, r *http.Request, body string) bool // false: as usual
}

func newFake(t *testing.T, answer func(http.ResponseWriter, *http.Request, string) bool) *fake {
	f := &fake{answer: answer}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Server.Close)
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	body := string(b)
	if f.answer != nil && f.answer(w, r, body) {
		return
	}
	switch path := strings.TrimPrefix(r.URL.Path, "/v1"); {
	case path == "/.well-known/ready":
	case path == "/schema/"+DefaultClass:
		c, _ := passageClass(DefaultClass, index.BM25{}).MarshalBinary()
		w.Write(c)
	case path == "/schema/"+DefaultClass+"State":
		c, _ := stateClass(DefaultClass + "State").MarshalBinary()
		w.Write(c)
	case strings.HasPrefix(path, "/objects/"+DefaultClass+"State/"):
		fmt.Fprintf(w, `{"properties":{"stream":"s","sequence":"1","format":%q,"dimension":"256"}}`, formatOf(Options{Embedder: storetest.Embedder{}}))
	case path == "/batch/objects" && r.Method == http.MethodDelete:
		io.WriteString(w, `{"results":{"matches":0}}`)
	case path == "/batch/objects":
		io.WriteString(w, `[{"result":{"status":"SUCCESS"}}]`)
	case path == "/graphql":
		io.WriteString(w, `{"data":{"Get":{"HopstreamPassage":[]},"Aggregate":{"HopstreamPassage":[{"meta":{"count":3}}]}}}`)
	default:
		http.Error(w, `{"error":[{"message":"not in this fake"}]}`, http.StatusTeapot)
	}
}

func openFake(t *testing.T, url string, change func(*Options)) *Store {
	t.Helper()
	o := Options{URL: url, Timeout: 5 * time.Second, Embedder: storetest.Embedder{}}
	if change != nil {
		change(&o)
	}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func wantClass(t *testing.T, what string, err error, want fault.Class, hint string) {
	t.Helper()
	class, _ := fault.Of(err)
	if err == nil || class != want || !strings.Contains(err.Error(), hint) {
		t.Errorf("%s: %v is %s, want %s with %q", what, err, class, want, hint)
	}
}

// TestFaults holds every way to fail to what should happen next, in each call.
func TestFaults(t *testing.T) {
	status := func(code int, body string) func(http.ResponseWriter, *http.Request, string) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ string) bool {
			w.WriteHeader(code)
			io.WriteString(w, body)
			return true
		}
	}
	ok := func(body string) func(http.ResponseWriter, *http.Request, string) bool { return status(200, body) }
	for _, test := range []struct {
		name   string
		answer func(http.ResponseWriter, *http.Request, string) bool
		want   fault.Class
		hint   string
	}{
		{"unauthorized", status(401, ""), fault.Permanent, "set the Weaviate API key"},
		{"forbidden", status(403, `{"error":[{"message":"rbac: no"}]}`), fault.Permanent, "rbac: no"},
		{"unprocessable", status(422, `{"error":[{"message":"bad thing"}]}`), fault.Permanent, "bad thing"},
		{"bad request", status(400, "plain text"), fault.Permanent, "plain text"},
		{"unavailable", status(503, ""), fault.Unavailable, "503"},
		{"busy", status(429, ""), fault.Unavailable, "429"},
		{"gateway", status(502, "<html>"), fault.Unavailable, "502"},
		{"internal", status(500, `{"error":[{"message":"oops"}]}`), fault.Transient, "oops"},
		{"no leader", status(422, `{"error":[{"message":"leader not found"}]}`), fault.Unavailable, "leader"},
		{"no JSON", ok("<html>"), fault.Transient, ""},
		{"cut off", func(w http.ResponseWriter, _ *http.Request, _ string) bool {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "{")
			return true
		}, fault.Unavailable, "EOF"},
		{"hung up", func(w http.ResponseWriter, _ *http.Request, _ string) bool {
			panic(http.ErrAbortHandler)
		}, fault.Unavailable, ""},
		{"slow", func(w http.ResponseWriter, r *http.Request, _ string) bool {
			select {
			case <-r.Context().Done():
			case <-time.After(5 * time.Second):
			}
			return true
		}, fault.Transient, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t, nil)
			s := openFake(t, f.URL, func(o *Options) {
				if test.name == "slow" {
					o.Timeout = 100 * time.Millisecond
				}
			})
			f.answer = test.answer
			ctx := t.Context()
			_, err := s.Search(ctx, "word", 3)
			wantClass(t, "search", err, test.want, test.hint)
			_, err = s.Near(ctx, make([]float32, 256), 3)
			wantClass(t, "near", err, test.want, test.hint)
			_, _, err = s.Passage(ctx, "a")
			wantClass(t, "passage", err, test.want, test.hint)
			wantClass(t, "apply", s.Apply(ctx, []messages.Document{{ID: "a", Text: "b"}}, index.Position{Stream: "s", Sequence: 2}), test.want, test.hint)
			if got := s.Position().Sequence; got != 1 {
				t.Errorf("the position is %d", got)
			}
			if test.name == "no JSON" {
				return // the ready check does not read it
			}
			wantClass(t, "ready", s.Ready(ctx), test.want, "")
			wantClass(t, "reset", s.Reset(ctx), test.want, "")
			_, err = Open(ctx, Options{URL: f.URL, Timeout: 100 * time.Millisecond})
			wantClass(t, "open", err, test.want, "")
		})
	}
}

// TestFaultsInside are errors in answers whose status says that all is well.
func TestFaultsInside(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       fault.Class
	}{
		{"syntax", `{"errors":[{"message":"Syntax Error GraphQL request (1:1)"}]}`, fault.Permanent},
		{"dimension", `{"errors":[{"message":"vector lengths don't match: 3 vs 256"}]}`, fault.Permanent},
		{"class away", `{"errors":[{"message":"Cannot query field \"X\" on type \"GetObjectsObj\"."}]}`, fault.Unavailable},
		{"stumbling", `{"errors":[{"message":"runtime error: invalid memory address or nil pointer dereference"}]}`, fault.Unavailable},
		{"other", `{"data":{"Get":null},"errors":[{"message":"context deadline exceeded"}]}`, fault.Transient},
	} {
		f := newFake(t, nil)
		s := openFake(t, f.URL, nil)
		f.answer = func(w http.ResponseWriter, r *http.Request, _ string) bool {
			if r.URL.Path == "/v1/graphql" {
				io.WriteString(w, test.body)
				return true
			}
			return false
		}
		_, err := s.Search(t.Context(), "word", 3)
		wantClass(t, test.name, err, test.want, "")
		if s.Passages() != 0 {
			t.Errorf("%s: counted", test.name)
		}
	}
	for _, test := range []struct {
		name, body string
		want       fault.Class
	}{
		{"vector length", `[{"result":{"status":"FAILED","errors":{"error":[{"message":"new node has a vector with length 3. Existing nodes have vectors with length 256"}]}}}]`, fault.Permanent},
		{"invalid", `[{"result":{"errors":{"error":[{"message":"invalid object"}]}}}]`, fault.Permanent},
		{"read-only", `[{"result":{"errors":{"error":[{"message":"store is read-only"}]}}}]`, fault.Unavailable},
		{"no reason", `[{"result":{"status":"FAILED"}}]`, fault.Transient},
		{"too few answers", `[]`, fault.Transient},
	} {
		f := newFake(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
			if r.URL.Path == "/v1/batch/objects" && r.Method == http.MethodPost {
				io.WriteString(w, test.body)
				return true
			}
			return false
		})
		s := openFake(t, f.URL, nil)
		wantClass(t, test.name, s.Apply(t.Context(), []messages.Document{{ID: "a", Text: "b"}}, index.Position{Stream: "s", Sequence: 2}), test.want, "")
		if got := s.Position().Sequence; got != 1 {
			t.Errorf("%s: the position is %d", test.name, got)
		}
	}
}

func TestRefused(t *testing.T) {
	f := newFake(t, nil)
	s := openFake(t, f.URL, nil)
	if s.Passages() != 3 {
		t.Errorf("%d passages", s.Passages())
	}
	f.Close()
	_, err := s.Search(t.Context(), "word", 3)
	wantClass(t, "search", err, fault.Unavailable, "")
	_, err = Open(t.Context(), Options{URL: f.URL})
	wantClass(t, "open", err, fault.Unavailable, "refused")
	if s.Passages() != 3 {
		t.Errorf("%d passages while the server is away", s.Passages())
	}
	runtime.GC() // what was opened in vain is no burden
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Options{URL: f.URL}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestFinalizers holds that stores given up do not halt the program's
// finalizers, as the client they are made from would.
func TestFinalizers(t *testing.T) {
	f := newFake(t, nil)
	for range 3 {
		s := openFake(t, f.URL, nil)
		s.Close()
	}
	ran := make(chan struct{})
	func() {
		canary := new([64]byte)
		runtime.SetFinalizer(canary, func(*[64]byte) { close(ran) })
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-ran:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Error("a finalizer did not run")
}

func TestTLS(t *testing.T) {
	f := &fake{}
	f.Server = httptest.NewUnstartedServer(f)
	f.Config.ErrorLog = log.New(io.Discard, "", 0)
	f.StartTLS()
	defer f.Close()
	_, err := Open(t.Context(), Options{URL: f.URL})
	wantClass(t, "unknown authority", err, fault.Permanent, "CA file")
	_, err = Open(t.Context(), Options{URL: strings.Replace(f.URL, "https", "http", 1)})
	wantClass(t, "http to https", err, fault.Permanent, "")
	plain := newFake(t, nil)
	_, err = Open(t.Context(), Options{URL: strings.Replace(plain.URL, "http", "https", 1)})
	wantClass(t, "https to http", err, fault.Permanent, "http or https")
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	openFake(t, f.URL, func(o *Options) { o.CAFile = ca })
	openFake(t, f.URL, func(o *Options) { o.HTTP, o.Timeout = f.Client(), 0 })
	_, err = Open(t.Context(), Options{URL: f.URL, CAFile: ca + "x"})
	wantClass(t, "no file", err, fault.Permanent, "no such file")
}

func TestUnknownHost(t *testing.T) {
	err := classify(t.Context(), "x", &net.DNSError{Err: "no such host", Name: "weaviate.example", IsNotFound: true})
	wantClass(t, "unknown host", err, fault.Unavailable, "no such host")
}
