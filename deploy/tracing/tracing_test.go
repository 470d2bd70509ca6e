package tracing

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// The stages of two processes.
const (
	deciding = "router,decomposer,aggregator,judge"
	finding  = "retriever,filter,aligner,generator"
)

// documents writes two documents that lead from one to the other.
func documents(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"marlow.md": "# Marlow Bridge\n\nMarlow Bridge was designed by Ada Quill.\nMarlow Bridge was opened in 1832.\n",
		"quill.md":  "# Ada Quill\n\nAda Quill was born in Trondheim.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// whole checks that a question's spans are one tree, and returns how many there are
// of each name.
func whole(t *testing.T, spans map[pcommon.SpanID]span) map[string]int {
	t.Helper()
	roots, names := 0, map[string]int{}
	for _, s := range spans {
		names[s.Name()]++
		if s.ParentSpanID().IsEmpty() {
			roots++
		} else if _, ok := spans[s.ParentSpanID()]; !ok {
			t.Errorf("%s stands under a span that did not arrive", s.Name())
		}
	}
	if roots != 1 {
		t.Errorf("%d roots in %v", roots, names)
	}
	return names
}

// TestTwoProcesses holds that the trees of a compound and of a complex question, which
// two processes work on and a third asks, are those of their hops, over both
// protocols.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	r := receive(t)
	docs := documents(t)
	grpc := []string{"HOPSTREAM_TRACING__ENDPOINT=" + r.grpc, "HOPSTREAM_TRACING__PROTOCOL=grpc", "HOPSTREAM_TRACING__SAMPLE=1"}
	http := []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + r.http, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", "OTEL_TRACES_SAMPLER=always_on", "OTEL_SERVICE_NAME=finder"}
	url, stopOne := up(t, grpc, "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--stages", deciding)
	_, stopOther := up(t, http, "--data", t.TempDir(), "--nats", url, "--stages", finding)
	run(t, nil, "index", "--nats", url, docs)
	compound := ask(t, http, url, "Who designed Marlow Bridge and when was Marlow Bridge opened?")
	complex := ask(t, http, url, "Where was the designer of Marlow Bridge born?")
	ids := []string{traceID(t, url, compound.ID), traceID(t, url, complex.ID)}
	stopOther()
	stopOne()
	for i, a := range []answer{compound, complex} {
		if a.Status != "answered" {
			t.Errorf("%+v", a)
		}
		var spans map[pcommon.SpanID]span
		eventually(t, "the spans of "+a.ID, func() bool {
			spans = r.of(ids[i])
			return len(spans) > 0
		})
		names := whole(t, spans)
		for name, n := range map[string]int{"send question": 1, "question": 1, "process router": 1, "process retriever": len(a.Hops), "process filter": len(a.Hops), "process aligner": len(a.Hops)} {
			if names[name] != n {
				t.Errorf("%s: %d spans %q, want %d: %v", a.Class, names[name], name, n, names)
			}
		}
		hops, instances, searches := map[string]bool{}, map[string]bool{}, 0
		for _, s := range spans {
			instances[s.instance] = true
			if s.Name() == "process retriever" {
				hops[s.text("hopstream.round")+"."+s.text("hopstream.branch")] = true
			}
			if s.Kind() == ptrace.SpanKindInternal && s.text("hopstream.searcher") != "" {
				searches++
			}
		}
		want := map[string]bool{}
		for _, h := range a.Hops {
			want[fmt.Sprintf("%d.%d", h.Round, h.Branch)] = true
		}
		if !maps.Equal(hops, want) || len(instances) != 3 || searches < len(a.Hops) {
			t.Errorf("%s: hops %v, want %v; %d processes, %d searches", a.Class, hops, want, len(instances), searches)
		}
	}
	if compound.Class != "compound" || complex.Class != "complex" || complex.Steps < 2 {
		t.Errorf("asked as %s, and as %s with %d rounds", compound.Class, complex.Class, complex.Steps)
	}
}

// TestFailureOverTwoProcesses holds that a question which expires is exported whole
// though no question is sampled, and that one that is answered is not.
func TestFailureOverTwoProcesses(t *testing.T) {
	t.Parallel()
	r := receive(t)
	env := []string{"HOPSTREAM_TRACING__ENDPOINT=" + r.grpc, "HOPSTREAM_TRACING__PROTOCOL=grpc", "HOPSTREAM_TRACING__SAMPLE=0"}
	url, stopOne := up(t, env, "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--stages", deciding+",generator")
	_, stopOther := up(t, env, "--data", t.TempDir(), "--nats", url, "--stages", "retriever,filter")
	run(t, nil, "index", "--nats", url, documents(t))
	good := ask(t, nil, url, "What is 17 times 23?")
	bad := ask(t, nil, url, "Who designed Marlow Bridge and when was Marlow Bridge opened?", "--timeout", "4s") // nobody aligns
	ids := []string{traceID(t, url, good.ID), traceID(t, url, bad.ID)}
	stopOther()
	stopOne()
	if good.Status != "answered" || bad.Status != "expired" {
		t.Fatalf("%+v %+v", good, bad)
	}
	names := whole(t, r.of(ids[1]))
	for name, n := range map[string]int{"question": 1, "process router": 1, "process decomposer": 1, "process retriever": 2, "process filter": 2} {
		if names[name] != n {
			t.Errorf("%d spans %q, want %d: %v", names[name], name, n, names)
		}
	}
	if s := r.of(ids[0]); len(s) > 0 {
		t.Errorf("a question that was answered and is not sampled exports %d spans", len(s))
	}
}
