package architecture

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"hopstream/stages"
)

// TestImportDirection holds that what is below never imports what is above.
func TestImportDirection(t *testing.T) {
	t.Parallel()
	logic := map[string]bool{}
	for _, name := range stages.Names() {
		logic["hopstream/stages/"+name] = true
	}
	packages := tree(t)
	for _, want := range append([]string{"hopstream/messages", "hopstream/messages/fault", "hopstream/stages", "hopstream/index", "hopstream/index/document", "hopstream/index/docstream"}, slices.Collect(maps.Keys(logic))...) {
		if packages[want] == nil {
			t.Errorf("package %s was not found", want)
		}
	}
	for pkg, files := range packages {
		for imp := range imports(t, files) {
			if reason := forbidden(pkg, imp, logic); reason != "" {
				t.Errorf("%s imports %s: %s", pkg, imp, reason)
			}
		}
	}
}

func forbidden(pkg, imp string, logic map[string]bool) string {
	ours := strings.HasPrefix(imp, "hopstream/")
	third := !ours && strings.Contains(strings.Split(imp, "/")[0], ".")
	switch {
	case under(imp, "go.opentelemetry.io/otel/sdk") && pkg != "hopstream/cmd/internal/telemetry", under(imp, "go.opentelemetry.io/otel/exporters") && pkg != "hopstream/cmd/internal/telemetry":
		return "how spans are exported is set up in one place"
	case under(imp, "go.opentelemetry.io/otel/semconv") && pkg != "hopstream/stages/tracing":
		return "the conventions' names, and their version, stand in one file"
	case under(imp, "hopstream/cmd") && !under(pkg, "hopstream/cmd"):
		return "nothing imports the program"
	case pkg == "hopstream/messages" && imp == "github.com/goccy/go-json":
		return "" // encoding/json to the byte, and every hop decodes and encodes: messages/README.md has the figures
	case under(pkg, "hopstream/messages") && (third || ours && !under(imp, "hopstream/messages")):
		return "the wire contract needs the standard library and its JSON library only"
	case under(pkg, "hopstream/prompts") && (third || ours && !under(imp, "hopstream/prompts")):
		return "prompts need the standard library only"
	case under(pkg, "hopstream/index") && under(imp, "hopstream/stages"):
		return "the index knows no stages"
	case pkg == "hopstream/stages/engine/roles" && (third || ours && !under(imp, "hopstream/messages")):
		return "the table of roles knows no engine"
	case under(pkg, "hopstream/index/durable") && ours:
		return "the log and the index both stand on it"
	case pkg == "hopstream/index" && ours && !under(imp, "hopstream/messages"):
		return "what all stores have in common knows none of them"
	case (under(pkg, "hopstream/index/lang") || under(pkg, "hopstream/index/internal")) && ours:
		return "English and the heap stand by themselves"
	case pkg == "hopstream/index/document/blocks" && imp == "hopstream/index/lang":
		return "" // where sentences end
	case under(pkg, "hopstream/index/document/draft") && under(imp, "hopstream/index/document"), pkg != "hopstream/index/document" && under(pkg, "hopstream/index/document") && under(imp, "hopstream/index/document") && imp != "hopstream/index/document/draft":
		return "a format is read into a draft, and knows no other format and no files"
	case under(pkg, "hopstream/index/document") && ours && !under(imp, "hopstream/messages") && !under(imp, "hopstream/index/document"):
		return "a document is the same whatever stores its passages"
	case under(pkg, "hopstream/index/docstream") && ours && !under(imp, "hopstream/messages") && imp != "hopstream/index" && imp != "hopstream/index/durable":
		return "the document stream fills any store, and knows none of them"
	case under(imp, "hopstream/index/docstream") && under(pkg, "hopstream/index"):
		return "a store is filled by a follower, and does not know it"
	case under(imp, "hopstream/index/testkit") && !strings.HasSuffix(pkg, "test"):
		return "what tests share is for tests"
	case under(pkg, "hopstream/index/searcher") && ours && !under(imp, "hopstream/messages") && imp != "hopstream/index":
		return "a way of searching knows stores by what they can do"
	case !logic[pkg]:
		return ""
	case third && imp != "golang.org/x/sync/errgroup":
		return "a stage's logic knows no broker, no metrics, nothing but its question"
	case ours && !under(imp, "hopstream/messages") && imp != "hopstream/stages/meter" && imp != "hopstream/stages/preview" && imp != "hopstream/stages/evidence" && imp != "hopstream/index/document/blocks":
		return "a stage's logic knows no other stage, no runner and no log"
	}
	return ""
}

func under(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }

// TestForbidden makes sure that the rule bites.
func TestForbidden(t *testing.T) {
	t.Parallel()
	logic := map[string]bool{"hopstream/stages/judge": true}
	for _, c := range [][2]string{
		{"hopstream/messages", "github.com/nats-io/nats.go"},
		{"hopstream/messages", "hopstream/stages/meter"},
		{"hopstream/messages/fault", "github.com/goccy/go-json"},
		{"hopstream/prompts", "hopstream/messages"},
		{"hopstream/index", "hopstream/stages/runner"},
		{"hopstream/stages/engine/roles", "hopstream/stages/engine/builtin"},
		{"hopstream/index/durable", "hopstream/index"},
		{"hopstream/index", "hopstream/index/bleve"},
		{"hopstream/index/lang", "hopstream/index/links"},
		{"hopstream/index/document", "hopstream/index"},
		{"hopstream/index/document", "hopstream/index/lang"},
		{"hopstream/index/document/markup", "hopstream/index/document"},
		{"hopstream/index/document/pdf", "hopstream/index/document/office"},
		{"hopstream/index/document/draft", "hopstream/index/document/blocks"},
		{"hopstream/index/docstream", "hopstream/index/bleve"},
		{"hopstream/index/vector", "hopstream/index/docstream"},
		{"hopstream/index/bleve", "hopstream/index/testkit/storetest"},
		{"hopstream/index/searcher", "hopstream/index/links"},
		{"hopstream/stages/runner", "hopstream/cmd/hopstream"},
		{"hopstream/stages/judge", "github.com/nats-io/nats.go"},
		{"hopstream/stages/judge", "github.com/prometheus/client_golang/prometheus"},
		{"hopstream/stages/judge", "go.opentelemetry.io/otel/trace"},
		{"hopstream/stages/judge", "hopstream/stages/tracing"},
		{"hopstream/stages/runner", "go.opentelemetry.io/otel/sdk/trace"},
		{"hopstream/stages/runner", "go.opentelemetry.io/otel/semconv/v1.41.0"},
		{"hopstream/stages/judge", "hopstream/stages/router"},
		{"hopstream/stages/judge", "hopstream/stages/log"},
		{"hopstream/stages/judge", "hopstream/stages"},
	} {
		if forbidden(c[0], c[1], logic) == "" {
			t.Errorf("%s may import %s", c[0], c[1])
		}
	}
}
