package ollamatest

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"hopstream/index/testkit/servertest"
)

// Start starts a server of the test's own, with no models, and returns its
// URL. The server ends with the test; if the test fails, the end of its log is
// printed.
//
// The program is the one the environment variable OLLAMA_BINARY names, or
// ollama in PATH, or in the folder go install writes to. Without one the test
// fails.
func Start(t testing.TB) (url string) {
	t.Helper()
	return servertest.Start(t, servertest.Program{
		Name:     "ollama",
		Variable: "OLLAMA_BINARY",
		Source:   "github.com/ollama/ollama@v0.6.5",
		Ready:    "/api/version",
		Limit:    60 * time.Second, // it takes less than one
		Ports:    1,
		Command: func(home string, ports []int) (args, env []string) {
			return []string{"serve"}, []string{
				fmt.Sprintf("OLLAMA_HOST=127.0.0.1:%d", ports[0]),
				"OLLAMA_MODELS=" + filepath.Join(home, "models"),
				"OLLAMA_NO_CLOUD=1",
				"OLLAMA_NUM_PARALLEL=2", // what is set aside for a model is its context times this
				"OLLAMA_KEEP_ALIVE=10m",
			}
		},
	}).URL
}
