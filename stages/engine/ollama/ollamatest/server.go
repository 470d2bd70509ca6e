package ollamatest

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
	"strings"
	"sync"
	"testing"
	"time"
)

// startLimit is how long a server may take until it answers. It takes less
// than a second; a machine under load takes longer.
const startLimit = 60 * time.Second

// Start starts a server of the test's own, with no models, and returns its
// URL. The server ends with the test; if the test fails, its log is printed.
//
// The program is the one the environment variable OLLAMA_BINARY names, or
// ollama in PATH, or in the folder go install writes to. Without one the test
// fails.
func Start(t testing.TB) (url string) {
	t.Helper()
	program, err := find()
	if err != nil {
		t.Fatal(err)
	}
	// The port may be taken between choosing and using it.
	for attempt := 1; ; attempt++ {
		url, err = start(t, program)
		if err == nil {
			return url
		}
		if attempt == 3 || !strings.Contains(err.Error(), "address already in use") {
			t.Fatal(err)
		}
	}
}

func find() (string, error) {
	name := "ollama"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if p := os.Getenv("OLLAMA_BINARY"); p != "" {
		if p, err := exec.LookPath(p); err == nil {
			return p, nil
		}
		return "", fmt.Errorf("OLLAMA_BINARY is %s, which cannot be run", p)
	}
	if p, err := exec.LookPath(name); err == nil {
		return p, nil
	}
	for _, dir := range []string{os.Getenv("GOBIN"), filepath.Join(build.Default.GOPATH, "bin")} {
		if p, err := exec.LookPath(filepath.Join(dir, name)); dir != "" && err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("no ollama to test against: go install github.com/ollama/ollama@v0.6.5, or name one in OLLAMA_BINARY")
}

func start(t testing.TB, program string) (string, error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	address := l.Addr().String()
	l.Close()

	home := t.TempDir()
	log := &serverLog{}
	cmd := exec.Command(program, "serve")
	// The environment is all of the server's: none of the machine's settings,
	// keys, models or proxies, and nothing that leaves the machine.
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + home,
		"TMPDIR=" + home,
		"OLLAMA_HOST=" + address,
		"OLLAMA_MODELS=" + filepath.Join(home, "models"),
		"OLLAMA_NO_CLOUD=1",
		"OLLAMA_NUM_PARALLEL=2", // what is set aside for a model is its context times this
		"OLLAMA_KEEP_ALIVE=10m",
	}
	cmd.Dir = home
	cmd.WaitDelay = 10 * time.Second // for a log that a stray child holds open
	cmd.Stdout, cmd.Stderr = log, log
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	stop := sync.OnceFunc(func() { killGroup(cmd); <-ended })
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("the log of ollama:\n%s", log)
		}
	})
	url := "http://" + address
	if err := waitReady(url, ended); err != nil {
		stop()
		return "", fmt.Errorf("%s serve: %w\n%s", program, err, log)
	}
	return url, nil
}

// waitReady returns when the server answers, or with an error when it ended or
// has not answered within startLimit.
func waitReady(url string, ended <-chan struct{}) error {
	h := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	limit := time.After(startLimit)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		resp, err := h.Get(url + "/api/version")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ended:
			return fmt.Errorf("it ended at once")
		case <-limit:
			return fmt.Errorf("it does not answer after %v: %v", startLimit, err)
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
	const keep = 64 << 10
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
