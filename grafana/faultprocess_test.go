//go:build faults

package grafana

import (
	"bytes"
	"net/http"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// child is a process that a test started.
type child struct {
	cmd   *exec.Cmd
	ended chan struct{}
	log   *journal
}

// journal keeps what a process wrote.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(p)
}

// last returns the last n bytes.
func (j *journal) last(n int) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := j.buf.String()
	return all[max(0, len(all)-n):]
}

// launch starts a program that is killed at the end of the owner, a test that t is
// or is part of, if it still runs.
func launch(t, owner *testing.T, binary string, args ...string) *child {
	t.Helper()
	p := &child{cmd: exec.Command(binary, args...), ended: make(chan struct{}), log: &journal{}}
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	owner.Cleanup(func() {
		p.kill()
		if owner.Failed() {
			owner.Logf("%s %v said at last:\n%s", filepath.Base(binary), args, p.log.last(1500))
		}
	})
	return p
}

// signal sends a signal; a process that is gone is not sent any.
func (p *child) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// kill ends the process at once, and waits for its end.
func (p *child) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// stop asks the process to end, and waits for that.
func (p *child) stop(t *testing.T) {
	t.Helper()
	p.signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(45 * time.Second):
		t.Errorf("%v does not end on SIGTERM", p.cmd.Args)
		p.kill()
	}
}

// programs are what faults are injected into: hopstream, hoplab, and the NATS server
// of the library that hopstream embeds.
var programs = []string{"hopstream/cmd/...", "github.com/nats-io/nats-server/v2"}

// within waits for a condition, at most a minute.
func within(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func healthy(url string) bool {
	resp, err := http.Get(url)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}
