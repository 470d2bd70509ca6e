package cmdtest

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	otlp "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	wire "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Span is a span as it went over the wire.
type Span struct {
	*wire.Span
	// Instance is the service.instance.id of the process that sent it.
	Instance string
}

// Text is the value of a text attribute; empty where there is none.
func (s Span) Text(key string) string { return text(s.Attributes, key).GetStringValue() }

// Int is the value of an attribute that is a number.
func (s Span) Int(key string) int64 { return text(s.Attributes, key).GetIntValue() }

// Has reports whether there is an attribute.
func (s Span) Has(key string) bool { return text(s.Attributes, key) != nil }

func text(all []*common.KeyValue, key string) *common.AnyValue {
	for _, a := range all {
		if a.Key == key {
			return a.Value
		}
	}
	return nil
}

// Spans is an OTLP receiver over HTTP.
type Spans struct {
	URL string

	mu  sync.Mutex
	all []Span
}

// ReceiveSpans starts an OTLP receiver, which ends with the test.
func ReceiveSpans(t *testing.T) *Spans {
	t.Helper()
	r := &Spans{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", r.take)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

func (r *Spans) take(w http.ResponseWriter, req *http.Request) {
	var body io.Reader = req.Body
	if req.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(req.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = unzipped
	}
	data, err := io.ReadAll(body)
	var in otlp.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(data, &in)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, res := range in.ResourceSpans {
		instance := text(res.GetResource().GetAttributes(), "service.instance.id").GetStringValue()
		for _, scope := range res.ScopeSpans {
			for _, s := range scope.Spans {
				r.all = append(r.all, Span{s, instance})
			}
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// Of returns the spans of a question's trace that have arrived so far.
func (r *Spans) Of(traceparent string) (spans []Span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.all {
		if strings.Contains(traceparent, hex.EncodeToString(s.TraceId)) {
			spans = append(spans, s)
		}
	}
	return spans
}
