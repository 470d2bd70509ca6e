package servertest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain is also the server that the tests run.
func TestMain(m *testing.M) {
	address := os.Getenv("SERVE_AT")
	if address == "" {
		os.Exit(m.Run())
	}
	fmt.Println("serving at", address)
	err := http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ready" {
			http.NotFound(w, r)
		}
	}))
	fmt.Println(err)
	os.Exit(1)
}

func ourselves(t *testing.T) Program {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SERVERTEST_BINARY", binary)
	return Program{
		Name: "no-such-server", Variable: "SERVERTEST_BINARY", Source: "example.org/server@v1", Ready: "/ready", Limit: time.Minute, Ports: 2,
		Command: func(_ string, ports []int) (args, env []string) {
			return nil, []string{fmt.Sprintf("SERVE_AT=127.0.0.1:%d", ports[0])}
		},
	}
}

func TestServer(t *testing.T) {
	answers := func(url string) bool {
		h := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := h.Get(url + "/ready")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err == nil && resp.StatusCode == http.StatusOK
	}
	var s *Server
	t.Run("its test", func(t *testing.T) {
		s = Start(t, ourselves(t))
		url := s.URL
		if !answers(url) || s.ports[0] == s.ports[1] {
			t.Errorf("%s, %v", url, s.ports)
		}
		s.Stop()
		if answers(url) {
			t.Error("stopped, it answers")
		}
		s.Start()
		if !answers(url) || s.URL != url {
			t.Errorf("started again at %s, it is at %s", url, s.URL)
		}
		if got := strings.Count(s.log.String(), "serving at"); got != 2 {
			t.Errorf("the log is of %d starts", got)
		}
	})
	if answers(s.URL) {
		t.Error("it outlives its test")
	}
}

func TestServerNotReady(t *testing.T) {
	p := ourselves(t)
	p.Ready, p.Limit = "/never", time.Second
	binary, err := p.find()
	if err != nil {
		t.Fatal(err)
	}
	for want, address := range map[string]string{
		"it is not ready after 1s: it answers 404": "", "it ended at once": "nowhere",
	} {
		s := &Server{t: t, program: p, binary: binary, home: t.TempDir()}
		if s.ports, err = freePorts(1); err != nil {
			t.Fatal(err)
		}
		if address != "" {
			s.program.Command = func(string, []int) (args, env []string) { return nil, []string{"SERVE_AT=" + address} }
		}
		if err := s.start(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestNoServerToBeFound(t *testing.T) {
	p := Program{Name: "no-such-server", Variable: "SERVERTEST_BINARY", Source: "example.org/server@v1"}
	t.Setenv("SERVERTEST_BINARY", filepath.Join(t.TempDir(), "none"))
	if _, err := p.find(); err == nil || !strings.Contains(err.Error(), "SERVERTEST_BINARY") {
		t.Error(err)
	}
	t.Setenv("SERVERTEST_BINARY", "")
	if path, err := p.find(); err == nil || !strings.Contains(err.Error(), "go install example.org/server@v1") {
		t.Error(path, err)
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	l := &tail{}
	for range 100 {
		l.Write(bytes.Repeat([]byte("x"), 1000))
	}
	l.Write([]byte("end"))
	if s := l.String(); len(s) != 64<<10 || !strings.HasSuffix(s, "xend") {
		t.Errorf("%d bytes", len(s))
	}
}
