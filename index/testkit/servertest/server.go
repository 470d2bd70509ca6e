// Package servertest runs real servers for tests.
//
//	program   what is run, and where its binary is     program.go
//	server    its process, on ports of its own         server.go
//	group     no server outlives the tests             group_linux.go, group_other.go
//	tail      the end of its log, for a failed test    tail.go
package servertest

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is one of a test's own.
type Server struct {
	// URL stays the same when the server is stopped and started again.
	URL string

	t       testing.TB
	program Program
	binary  string
	home    string
	ports   []int
	log     tail
	stop    func()
}

// Start starts a program in an empty folder and returns when it is ready. The
// server ends with the test; if the test fails, the end of its log is printed.
// Where the program is not found, or does not get ready, the test fails.
func Start(t testing.TB, p Program) *Server {
	t.Helper()
	binary, err := p.find()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, program: p, binary: binary, home: t.TempDir(), stop: func() {}}
	t.Cleanup(func() {
		s.Stop()
		if t.Failed() {
			t.Logf("the log of %s:\n%s", p.Name, &s.log)
		}
	})
	// The ports may be taken between choosing and using them.
	for attempt := 1; ; attempt++ {
		if s.ports, err = freePorts(p.Ports); err == nil {
			err = s.start()
		}
		if err == nil {
			return s
		}
		if attempt == 3 || !strings.Contains(s.log.String(), "address already in use") {
			t.Fatal(err)
		}
	}
}

// Stop kills the server. What it has written to disk stays.
func (s *Server) Stop() { s.stop() }

// Start starts the server that was stopped again, and returns when it is
// ready.
func (s *Server) Start() {
	s.t.Helper()
	if err := s.start(); err != nil {
		s.t.Fatal(err)
	}
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
	args, env := s.program.Command(s.home, s.ports)
	cmd := exec.Command(s.binary, args...)
	// The environment is all of the server's: none of the machine's settings,
	// keys or proxies, and nothing that leaves the machine.
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "TMPDIR=" + s.home}, env...)
	cmd.Dir = s.home
	cmd.WaitDelay = 10 * time.Second // for a log that a stray child holds open
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	s.stop = sync.OnceFunc(func() { killGroup(cmd); <-ended })
	s.URL = fmt.Sprintf("http://127.0.0.1:%d", s.ports[0])
	if err := waitReady(s.URL+s.program.Ready, s.program.Limit, ended); err != nil {
		s.stop()
		return fmt.Errorf("%s: %w", s.binary, err)
	}
	return nil
}

// waitReady returns when the server is ready, or with an error when it ended
// or is not ready within the limit.
func waitReady(url string, within time.Duration, ended <-chan struct{}) error {
	h := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	limit := time.After(within)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		resp, err := h.Get(url)
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
			return fmt.Errorf("it is not ready after %v: %w", within, err)
		case <-tick.C:
		}
	}
}
