package tracing

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program builds hopstream once for all tests.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hopstream-tracing-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "hopstream")
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/hopstream")
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return bin, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if bin, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(bin))
	}
	os.Exit(code)
}

func hopstream(t *testing.T) string {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatalf("build: %v\n%s", err, bin)
	}
	return bin
}

// output is what a process wrote so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

var isUp = regexp.MustCompile(`msg=up nats=(\S+)`)

// up starts a worker process with the variables of env and returns its server's URL.
// stop ends it as a supervisor would, so that its last spans are exported.
func up(t *testing.T, env []string, args ...string) (url string, stop func()) {
	t.Helper()
	var errs output
	cmd := exec.Command(hopstream(t), append([]string{"up", "--http", "127.0.0.1:0"}, args...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := sync.OnceFunc(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("up: %v\n%s", err, errs.String())
		}
	})
	t.Cleanup(ended)
	eventually(t, "a worker to be up", func() bool { return isUp.MatchString(errs.String()) })
	return isUp.FindStringSubmatch(errs.String())[1], ended
}

// run runs a command and returns its results, whatever its exit code.
func run(t *testing.T, env []string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(hopstream(t), args...)
	cmd.Env = append(os.Environ(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Fatalf("%v: %v\n%s", args, err, errs.String())
	}
	return out
}

// answer is what the tests read of an answer.
type answer struct {
	ID, Answer, Status, Class string
	Steps                     int
	Hops                      []struct{ Round, Branch int }
}

func ask(t *testing.T, env []string, url, question string, args ...string) (a answer) {
	t.Helper()
	out := run(t, env, append([]string{"ask", "--json", "--trace", "--nats", url, question}, args...)...)
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return a
}

// traceID looks up a question's trace, as an operator would.
func traceID(t *testing.T, url, id string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^trace ID ([0-9a-f]{32})$`).FindSubmatch(run(t, nil, "trace", "--nats", url, id))
	if m == nil {
		t.Fatalf("hopstream trace %s names no trace ID", id)
	}
	return string(m[1])
}

// eventually waits until ok, for half a minute at most.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); !ok(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
