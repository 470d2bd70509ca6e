package weaviatetest

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"hopstream/index/testkit/servertest"
)

// Start starts an empty server without access control, and returns its URL.
// The server ends with the test; if the test fails, the end of its log is
// printed.
//
// The program is the one the environment variable WEAVIATE_BINARY names, or
// weaviate-server in PATH, or in the folder go install writes to. Without one
// the test fails.
func Start(t testing.TB) (url string) {
	t.Helper()
	return New(t).URL
}

// New is Start for a test that needs more of the server; env is added to its
// environment, last. What the server had acknowledged stays stored when it is
// stopped.
func New(t testing.TB, env ...string) *servertest.Server {
	t.Helper()
	return servertest.Start(t, servertest.Program{
		Name:     "weaviate-server",
		Variable: "WEAVIATE_BINARY",
		Source:   "github.com/weaviate/weaviate/cmd/weaviate-server@v1.35.2",
		Ready:    "/v1/.well-known/ready",
		Limit:    120 * time.Second, // it takes 1 to 6
		Ports:    6,
		Command: func(home string, ports []int) (args, all []string) {
			port := func(i int) string { return strconv.Itoa(ports[i]) }
			return []string{"--host", "127.0.0.1", "--port", port(0), "--scheme", "http"}, append([]string{
				"PERSISTENCE_DATA_PATH=" + filepath.Join(home, "data"),
				"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true",
				"DISABLE_TELEMETRY=true",
				"GO_PROFILING_DISABLE=true",
				"LOG_LEVEL=warning",
				"USE_BLOCKMAX_WAND=false", // which misses the best passages for questions of several words
				"GRPC_PORT=" + port(1),
				"CLUSTER_HOSTNAME=node1",
				"CLUSTER_ADVERTISE_ADDR=127.0.0.1",
				"CLUSTER_GOSSIP_BIND_PORT=" + port(2),
				"CLUSTER_DATA_BIND_PORT=" + port(3),
				"RAFT_PORT=" + port(4),
				"RAFT_INTERNAL_RPC_PORT=" + port(5),
				"RAFT_BOOTSTRAP_EXPECT=1",
			}, env...)
		},
	})
}
