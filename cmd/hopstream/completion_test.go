package main

import (
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
)

// TestCompletion asks for values as a shell does, also under a configuration
// that cannot be read.
func TestCompletion(t *testing.T) {
	t.Parallel()
	broken := cmdtest.TempFile(t, "c.yaml", "data: [")
	for typed, want := range map[string]string{
		"ask|--preset|":          "hanrag hopstream levelrag mga-rag muisqa :4",
		"ask|--engine|o":         "builtin ollama :4",
		"status|--log-level|":    "debug info warn error :4",
		"status|--log-format|":   "text json :4",
		"up|--stages|router,agg": "router,decomposer router,retriever router,filter router,aligner router,generator router,aggregator router,judge :6",
		"trace|":                 ":4", // an ID is no file
		"ask|--config|" + broken + "|--log-format|j": "text json :4",
		"status|--config|":                           "yaml yml :8",
	} {
		words := strings.Split(typed, "|")
		words = append([]string{"__completeNoDesc", words[0], "--data", "x"}, words[1:]...) // what is completed stands last
		o := hopstream(t, "", words...)
		if got := strings.Join(strings.Fields(o.Out), " "); got != want {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
}
