package weaviatetest

import (
	"bytes"
	"fmt"
	"go/build"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// startLimit is how long a server may take until it is ready. It takes 1 to 6
// seconds; a machine under load takes longer.
const startLimit = 120 * time.Second

// Server is a Weaviate server of a test's own.
type Server struct {
	// URL stays the same when the server is stopped and started again.
	URL string

	t       testing.TB
	program string
	home    string
	env     []string
	ports   []int
	log     *serverLog
	stop    func()
}

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
// environment, last.
func New(t testing.TB, env ...string) *Server {
	t.Helper()
	program, err := find()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, program: program, home: t.TempDir(), env: env, log: &serverLog{}, stop: func() {}}
	t.Cleanup(func() {
		s.Stop()
		if t.Failed() {
			t.Logf("the log of weaviate-server:\n%s", s.log)
		}
	})
	// The ports may be taken between choosing and using them.
	for attempt := 1; ; attempt++ {
		if s.ports, err = freePorts(6); err == nil {
			err = s.start()
		}
		if err == nil {
			return s
		}
		if attempt == 3 || !strings.Contains(s.log.String(), "address already in use") {
			t.Fatalf("%v\n%s", err, s.log)
		}
	}
}

// Stop kills the server. What it had acknowledged stays stored.
func (s *Server) Stop() { s.stop() }

// Start starts the server that was stopped again, and returns when it is
// ready.
func (s *Server) Start() {
	s.t.Helper()
	if err := s.start(); err != nil {
		s.t.Fatalf("%v\n%s", err, s.log)
	}
}

func find() (string, error) {
	name := "weaviate-server"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if p := os.Getenv("WEAVIATE_BINARY"); p != "" {
		if p, err := exec.LookPath(p); err == nil {
			return p, nil
		}
		return "", fmt.Errorf("WEAVIATE_BINARY is %s, which cannot be run", p)
	}
	if p, err := exec.LookPath(name); err == nil {
		return p, nil
	}
	for _, dir := range []string{os.Getenv("GOBIN"), filepath.Join(build.Default.GOPATH, "bin")} {
		if p, err := exec.LookPath(filepath.Join(dir, name)); dir != "" && err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("no weaviate-server to test against: go install github.com/weaviate/weaviate/cmd/weaviate-server@v1.35.2, or name one in WEAVIATE_BINARY")
}

// freePorts returns n ports that nobody listens on.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // all at once, so that they differ
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

func (s *Server) start() error {
	port := func(i int) string { return strconv.Itoa(s.ports[i]) }
	cmd := exec.Command(s.program, "--host", "127.0.0.1", "--port", port(0), "--scheme", "http")
	// The environment is all of the server's: none of the machine's settings,
	// and nothing that leaves the machine.
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + s.home,
		"TMPDIR=" + s.home,
		"PERSISTENCE_DATA_PATH=" + filepath.Join(s.home, "data"),
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
	}, s.env...)
	cmd.Dir = s.home
	cmd.WaitDelay = 10 * time.Second
	cmd.Stdout, cmd.Stderr = s.log, s.log
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	s.stop = sync.OnceFunc(func() { killGroup(cmd); <-ended })
	s.URL = "http://127.0.0.1:" + port(0)
	if err := waitReady(s.URL, ended); err != nil {
		s.stop()
		return fmt.Errorf("%s: %w", s.program, err)
	}
	return nil
}

// waitReady returns when the server is ready, or with an error when it ended
// or is not ready within startLimit.
func waitReady(url string, ended <-chan struct{}) error {
	h := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	limit := time.After(startLimit)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		resp, err := h.Get(url + "/v1/.well-known/ready")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			err = fmt.Errorf("it answers %s", resp.Status)
		}
		select {
		case <-ended:
			return fmt.Errorf("it ended at once")
		case <-limit:
			return fmt.Errorf("it is not ready after %v: %v", startLimit, err)
		case <-tick.C:
		}
	}
}

// serverLog keeps the end of what a server writes.
type serverLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *serverLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	const keep = 16 << 10
	l.b.Write(p)
	if over := l.b.Len() - keep; over > 0 {
		l.b.Next(over)
	}
	return len(p), nil
}

func (l *serverLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
