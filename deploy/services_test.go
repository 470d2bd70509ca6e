package deploy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"

	"hopstream/deploy/internal/pipeline"
)

// TestServicesAnswerTogether runs what compose runs, without the containers:
// NATS with its configuration, every replica of every worker with its command
// line, the health checks, and the index service. Questions must be answered,
// each stage in the service that names it, also after replicas were killed.
func TestServicesAnswerTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs hopstream")
	}
	bin := filepath.Join(t.TempDir(), "hopstream")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "hopstream/cmd/hopstream")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	url := startNATS(t).ClientURL()
	p := project(t)

	var all []*replica
	for name, s := range workers(p) {
		for range *s.Deploy.Replicas {
			all = append(all, startReplica(t, bin, url, name, s))
		}
	}
	for _, r := range all {
		r.waitReady(t)
		check := p.Services[r.service].HealthCheck.Test
		run(t, bin, outside(check[2:], url, "", "")...)
	}
	index := outside(p.Services["index"].Command, url, "", t.TempDir())
	run(t, bin, index...)
	corpus, err := os.ReadFile("../index/sample/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.service == "retriever" {
			r.waitFor(t, fmt.Sprintf(`hopstream_index_documents %d$`, bytes.Count(corpus, []byte{'\n'})))
		}
	}

	ask := func(question string) {
		t.Helper()
		out := run(t, bin, "ask", "--nats", url, "--json", "--timeout", "60s", question)
		var a struct{ Status, Answer, Error string }
		if err := json.Unmarshal(out, &a); err != nil {
			t.Fatalf("%v in %q", err, out)
		}
		if a.Status != "answered" || a.Answer == "" {
			t.Errorf("%s: status %q, answer %q, error %q", question, a.Status, a.Answer, a.Error)
		}
	}
	for _, q := range []string{
		"What is 17 times 23?",
		"What is polonium named after?",
		"Where was Marie Curie born and when did she die?",
		"Where was the director of the film 2001: A Space Odyssey born?",
	} {
		ask(q)
	}

	// Each stage did its work in the service that names it, and nowhere else.
	for _, stage := range pipeline.Stages(t, "../stages/pipeline.go") {
		by := map[string]bool{}
		for _, r := range all {
			if r.shows(t, fmt.Sprintf(`hopstream_stage_messages_total\{outcome="done",stage="%s"\} [1-9]`, stage)) {
				by[r.service] = true
			}
		}
		if len(by) != 1 {
			t.Errorf("stage %s worked in %v", stage, by)
		}
		for service := range by {
			if !slices.Contains(strings.Split(pipeline.Flag(p.Services[service].Command, "--stages"), ","), stage) {
				t.Errorf("stage %s worked in %s", stage, service)
			}
		}
	}

	// A replica of every service that has two is killed: the other goes on.
	killed := map[string]bool{}
	for _, r := range all {
		if *p.Services[r.service].Deploy.Replicas > 1 && !killed[r.service] {
			killed[r.service] = true
			_ = r.cmd.Process.Kill()
			<-r.gone
			r.cmd = nil
		}
	}
	ask("Where was the director of the film The Return of the King born?")

	for _, r := range all {
		if r.cmd != nil {
			r.stop(t, time.Duration(*p.Services[r.service].StopGracePeriod))
		}
	}
}

// outside turns a service's arguments into those of a process on this machine.
func outside(args []string, nats, web, data string) []string {
	return strings.Split(strings.NewReplacer(
		"nats://nats:4222", nats, "0.0.0.0:9464", web, "/var/lib/hopstream", data, "/documents/", "../index/sample/",
	).Replace(strings.Join(args, "\x00")), "\x00")
}

// replica is one process of a service; cmd is nil once it is gone.
type replica struct {
	service, web string
	cmd          *exec.Cmd
	log          bytes.Buffer
	gone         chan error
}

func startReplica(t *testing.T, bin, nats, name string, s types.ServiceConfig) *replica {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &replica{service: name, web: l.Addr().String(), gone: make(chan error, 1)}
	l.Close()
	r.cmd = exec.Command(bin, outside(s.Command, nats, r.web, t.TempDir())...)
	r.cmd.Stdout, r.cmd.Stderr = &r.log, &r.log
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	cmd := r.cmd
	go func() { r.gone <- cmd.Wait() }()
	t.Cleanup(func() {
		if r.cmd != nil {
			_ = r.cmd.Process.Kill()
			<-r.gone
		}
		if t.Failed() {
			t.Logf("%s said:\n%s", r.service, &r.log)
		}
	})
	return r
}

func (r *replica) waitReady(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get("http://" + r.web + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case err := <-r.gone:
			r.cmd = nil
			t.Fatalf("%s ended early: %v", r.service, err)
		default:
			if time.Now().After(deadline) {
				t.Fatalf("%s is not ready after a minute", r.service)
			}
		}
	}
}

// shows reports whether the replica's metrics have a line matching pattern.
func (r *replica) shows(t *testing.T, pattern string) bool {
	t.Helper()
	resp, err := http.Get("http://" + r.web + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^` + pattern).Match(body)
}

// waitFor waits until the replica's metrics show pattern.
func (r *replica) waitFor(t *testing.T, pattern string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !r.shows(t, pattern); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not show %s", r.service, pattern)
		}
	}
}

// stop asks the replica to leave, as compose does, and gives it as long.
func (r *replica) stop(t *testing.T, grace time.Duration) {
	t.Helper()
	_ = r.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-r.gone:
		r.cmd = nil
		if err != nil {
			t.Errorf("%s: %v", r.service, err)
		}
	case <-time.After(grace):
		t.Errorf("%s does not leave within %v", r.service, grace)
	}
}

// run runs a subcommand to its end and returns what it wrote to stdout.
func run(t *testing.T, bin string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out, log bytes.Buffer
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("hopstream %s: %v\n%s%s", strings.Join(args, " "), err, &out, &log)
	}
	return out.Bytes()
}
