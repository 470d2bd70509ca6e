package kubernetes

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// A pod's command starts with the pod's settings, serves its figures on every
// address, and ends when it is told to. NATS is its own, since there is no cluster.
func TestPodsStart(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds hopstream and runs it")
	}
	bin := program(t)
	o := variants(t)["small"]
	for name, w := range o.workers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{}, w.container().Args...)
			for i := range args {
				switch args[i] {
				case "--http":
					args[i+1] = "0.0.0.0:0"
				case "--data":
					args[i+1] = filepath.Join(t.TempDir(), "data")
				}
			}
			cmd := exec.CommandContext(t.Context(), bin, append(args, "--listen", "127.0.0.1:0")...)
			cmd.Dir = t.TempDir()
			for k, v := range o.configMap(t, "hopstream") {
				if k != "HOPSTREAM_NATS__URL" {
					cmd.Env = append(cmd.Env, k+"="+v)
				}
			}
			log, err := cmd.StderrPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			served, said := false, ""
			for lines := bufio.NewScanner(log); lines.Scan(); { // ends with the process
				said += lines.Text() + "\n"
				var line struct{ Msg, URL string }
				if json.Unmarshal(lines.Bytes(), &line) != nil {
					continue
				}
				switch line.Msg {
				case "serving metrics":
					served = status(t, line.URL) == http.StatusOK
				case "up":
					if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
						t.Error(err)
					}
				}
			}
			if err := cmd.Wait(); err != nil || !served {
				t.Errorf("ended with %v; served metrics: %v; said:\n%s", err, served, said)
			}
		})
	}
}

// status returns what a server of this machine says at the address's port and path.
func status(t *testing.T, address string) int {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = "127.0.0.1:" + u.Port()
	r, err := http.Get(u.String())
	if err != nil {
		t.Error(err)
		return 0
	}
	_ = r.Body.Close()
	return r.StatusCode
}
