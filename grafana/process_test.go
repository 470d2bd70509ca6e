package grafana

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a running `hopstream up`.
type process struct{ bin, nats, http string }

// start builds the binary and runs it until the test ends, when it must leave
// on SIGTERM without an error.
func start(t *testing.T) *process {
	t.Helper()
	dir := t.TempDir()
	listen, web := freeAddr(t), freeAddr(t)
	p := &process{bin: filepath.Join(build(t, "hopstream/cmd/hopstream"), "hopstream"), nats: "nats://" + listen, http: web}
	var log bytes.Buffer
	conf := filepath.Join(dir, "hopstream.yaml")
	if err := os.WriteFile(conf, fmt.Appendf(nil, "archive: {dir: %q, every: 1s}\n", filepath.Join(dir, "archive")), 0o600); err != nil {
		t.Fatal(err)
	}
	up := exec.Command(p.bin, "up", "--config", conf, "--data", filepath.Join(dir, "data"), "--listen", listen, "--http", web)
	up.Stdout, up.Stderr = &log, &log
	if err := up.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() { gone <- up.Wait() }()
	t.Cleanup(func() {
		_ = up.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-gone:
			if err != nil {
				t.Errorf("hopstream up: %v", err)
			}
		case <-time.After(45 * time.Second):
			_ = up.Process.Kill()
			<-gone
			t.Error("hopstream up does not leave on SIGTERM")
		}
		if t.Failed() {
			t.Logf("hopstream up said at last:\n%s", log.Bytes()[max(0, log.Len()-2000):])
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get("http://" + web + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return p
			}
		}
		select {
		case err := <-gone:
			gone <- err
			t.Fatalf("hopstream up ended early: %v", err)
		default:
			if time.Now().After(deadline) {
				t.Fatal("hopstream up is not ready after a minute")
			}
		}
	}
}

// run runs a subcommand to its end.
func (p *process) run(t *testing.T, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, p.bin, args...).CombinedOutput(); err != nil {
		t.Fatalf("hopstream %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// build makes programs of hopstream's module, in one folder.
func build(t *testing.T, packages ...string) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"build", "-o", dir + "/"}, packages...)...)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}
