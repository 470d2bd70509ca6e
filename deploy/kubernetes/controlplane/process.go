package controlplane

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// start starts a binary; it ends before what was started earlier. Its log is shown
// if the test fails.
func (p *Plane) start(name, binary string, args []string, env ...string) {
	p.t.Helper()
	file := filepath.Join(p.dir, "log", name)
	out, err := os.Create(file)
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(p.bin, binary), args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() { // ends with the process
		_ = cmd.Wait()
		close(gone)
	}()
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-gone:
		case <-time.After(20 * time.Second):
			_ = cmd.Process.Kill()
			<-gone
		}
		_ = out.Close()
		if p.t.Failed() {
			p.t.Logf("%s said at last:\n%s", name, tail(file))
		}
	})
}

// tail returns a file's last lines.
func tail(file string) []byte {
	data, err := os.ReadFile(file)
	if err != nil {
		return []byte(err.Error())
	}
	lines := bytes.SplitAfter(data, []byte{'\n'})
	return bytes.Join(lines[max(0, len(lines)-15):], nil)
}

func proxyTo(addr string) func(*http.Request) (*url.URL, error) {
	return http.ProxyURL(&url.URL{Scheme: "http", Host: addr})
}
