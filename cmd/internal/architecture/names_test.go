package architecture

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNamedInFewFiles counts the files whose code names one stage, one role and
// one searcher, which stand for all. Who adds another touches as many. When the
// number grows, something repeats what a table says.
func TestNamedInFewFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what  string
		name  string   // in any of its forms
		own   []string // its own files: of the stage, the engines' side of the role, the searcher
		table []string // the tables' rows, with what a row's columns are declared by
		users []string // who configures or asks it, because it is this one
	}{{
		what: "stage", name: "aligner", own: []string{"stages/aligner/"},
		table: []string{"stages/pipeline.go", "stages/parts.go"},
		users: []string{
			"cmd/hoplab/bench/model.go",      // says which windows the model got
			"cmd/hoplab/papers/mgarag.go",    // its paper
			"cmd/hoplab/eval/ablation.go",    // leaves it out
			"cmd/hopstream/up.go",            // an example in the help
			"cmd/internal/config/config.go",  // its settings
			"cmd/internal/config/preset.go",  // the papers' settings of it
			"cmd/internal/config/roles.go",   // which roles are asked with it
			"cmd/internal/node/node.go",      // hands its settings over
			"stages/engine/chat/embedder.go", // names the setting that helps
			"stages/engine/roles/table.go",   // it asks the embedder
		},
	}, {
		what: "role", name: "hypothesise", own: []string{"stages/engine/chat/hypothesiser.go", "stages/engine/builtin/search_statement.go"},
		table: []string{"stages/engine/roles/table.go"},
		users: []string{"index/searcher/", "cmd/hoplab/papers/muisqa.go"}, // its paper
	}, {
		what: "searcher", name: "intents", own: []string{"index/searcher/intents.go"},
		table: []string{"index/searcher/table.go", "stages/engine/roles/table.go"},
		users: []string{
			"cmd/hoplab/eval.go",               // says what comes in its place
			"cmd/hoplab/eval/ablation.go",      // leaves it out
			"cmd/internal/config/preset.go",    // the papers' settings of it
			"cmd/internal/config/searchers.go", // what it searches
			"cmd/internal/node/retrieval.go",   // hands that over
			"cmd/hoplab/papers/muisqa.go",      // its paper
		},
	}} {
		allowed, seen := slices.Concat(c.own, c.table, c.users), map[string]bool{}
		for _, files := range tree(t) {
			for _, file := range files {
				rel, err := filepath.Rel(root, file)
				if err != nil {
					t.Fatal(err)
				}
				rel = filepath.ToSlash(rel)
				if !names(t, file, c.name) {
					continue
				}
				i := slices.IndexFunc(allowed, func(a string) bool { return strings.HasPrefix(rel, a) })
				if i < 0 {
					t.Errorf("%s names the %s %s: let it derive from the table", rel, c.what, c.name)
					continue
				}
				seen[allowed[i]] = true
			}
		}
		for _, a := range allowed {
			if !seen[a] {
				t.Errorf("%s does not name the %s %s any more: take it off the list", a, c.what, c.name)
			}
		}
	}
}

// names reports whether a file's code has a word with name in it.
func names(t *testing.T, file, name string) bool {
	t.Helper()
	for w := range words(t, file) {
		if strings.Contains(strings.ToLower(w), name) {
			return true
		}
	}
	return false
}
