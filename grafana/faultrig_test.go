//go:build faults

package grafana

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// system is a hopstream in several processes, to be harmed: a NATS server, workers
// by name, and where it asks models, a simulated server of these.
type system struct {
	owner     *testing.T // at whose end its processes end
	bin, dir  string
	nats      string // host:port
	workers   map[string]*worker
	servers   []*child // of NATS
	model     *child
	modelAddr string
	settings  map[string]any
	asked     int
	bytes     int                   // that the NATS server may store; 0: a GiB
	front     func()                // ends what stands before the model's server; nil: nothing
	skew      *skewer               // nil: none
	member    func(*testing.T, int) // starts a server of a cluster again
}

// worker is one `hopstream up`, which can be started again on its address.
type worker struct {
	*child
	http string
	nats string // what it takes for the NATS server; empty: the server
	args []string
}

// newSystem starts a NATS server with JetStream. The settings are those of every
// process, beside what makes a test quick.
func newSystem(t *testing.T, bin string, settings map[string]any) *system {
	t.Helper()
	s := &system{owner: t, bin: bin, dir: t.TempDir(), workers: map[string]*worker{}, nats: freeAddr(t), modelAddr: freeAddr(t), settings: settings}
	s.configure(t, settings)
	return s
}

// configure writes the settings of every process that is started from now on.
func (s *system) configure(t *testing.T, settings map[string]any) {
	t.Helper()
	quick := map[string]any{}
	for _, stage := range pipeline(t) {
		quick[stage] = map[string]any{"ack_wait": "1s"}
	}
	conf := map[string]any{"stages": quick, "log": map[string]any{"level": "warn"}}
	maps.Copy(conf, settings)
	text, err := json.Marshal(conf) // which is YAML
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.config(), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *system) config() string { return filepath.Join(s.dir, "hopstream.yaml") }

// startNATS starts the system's server, on what it stored before if there is any.
func (s *system) startNATS(t *testing.T) {
	t.Helper()
	_, port, err := net.SplitHostPort(s.nats)
	if err != nil {
		t.Fatal(err)
	}
	s.servers = []*child{launch(t, s.owner, filepath.Join(s.bin, "nats-server"), "-a", "127.0.0.1", "-p", port, "-js", "-sd", filepath.Join(s.dir, "jetstream"), "-c", s.room(t))}
	within(t, "NATS listens", func() bool { return listens(s.nats) })
}

// room writes the server's configuration, which says how much it may store.
func (s *system) room(t *testing.T) string {
	t.Helper()
	if s.bytes == 0 {
		s.bytes = 1 << 30
	}
	file := filepath.Join(s.dir, "nats.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, "jetstream { max_file_store: %d }\n", s.bytes), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func listens(addr string) bool {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// up starts a worker under a name, or starts it again, and waits until it is ready.
func (s *system) up(t *testing.T, name string, args ...string) {
	t.Helper()
	s.launchUp(t, name, args...)
	w := s.workers[name]
	within(t, name+" is ready", func() bool { return healthy("http://" + w.http + "/readyz") })
}

// launchUp is up without the wait.
func (s *system) launchUp(t *testing.T, name string, args ...string) {
	t.Helper()
	w := s.workers[name]
	if w == nil {
		w = &worker{http: freeAddr(t)}
		s.workers[name] = w
	}
	if len(args) > 0 {
		w.args = args
	}
	server := s.nats
	if w.nats != "" {
		server = w.nats
	}
	all := append([]string{"up", "--config", s.config(), "--nats", "nats://" + server, "--data", filepath.Join(s.dir, name), "--http", w.http}, w.args...)
	w.child = launch(t, s.owner, filepath.Join(s.bin, "hopstream"), all...)
}

// instances are the addresses of the workers' metrics.
func (s *system) instances() []string {
	var out []string
	for _, w := range s.workers {
		out = append(out, w.http)
	}
	slices.Sort(out)
	return out
}

// startModel starts the simulated model server, or another in its place.
func (s *system) startModel(t *testing.T, args ...string) {
	t.Helper()
	s.endFront()
	if s.model != nil {
		s.model.stop(t)
	}
	s.model = launch(t, s.owner, filepath.Join(s.bin, "hoplab"), append([]string{"sim-ollama", "--addr", s.modelAddr}, args...)...)
	within(t, "the model server listens", func() bool { return listens(s.modelAddr) })
}

// endFront ends what stands before the model's server, if anything does.
func (s *system) endFront() {
	if s.front != nil {
		s.front()
		s.front = nil
	}
}

// run runs a hopstream command on the system, written as a user types it, which
// must not fail.
func (s *system) run(t *testing.T, line string) string {
	t.Helper()
	out, err := s.try(t, line)
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return out
}

// try runs a hopstream command on the system.
func (s *system) try(t *testing.T, line string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := append(strings.Fields(line)[1:], "--config", s.config(), "--nats", "nats://"+s.nats)
	out, err := exec.CommandContext(ctx, filepath.Join(s.bin, "hopstream"), args...).CombinedOutput()
	return string(out), err
}

// publish stores bytes under a subject as any NATS client may.
func (s *system) publish(t *testing.T, subject, text string) {
	t.Helper()
	c, err := net.DialTimeout("tcp", s.nats, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(c, "CONNECT {\"verbose\":false,\"headers\":true}\r\nPUB %s %d\r\n%s\r\nPING\r\n", subject, len(text), text)
	var got strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(got.String(), "PONG") {
		n, err := c.Read(buf)
		if err != nil {
			t.Fatalf("publish: %v after %q", err, got.String())
		}
		got.Write(buf[:n])
	}
}

// question is what an asker asks.
type question struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Class    string `json:"class,omitempty"`
	Tenant   string `json:"tenant,omitempty"`
	Deadline string `json:"deadline,omitempty"`
}

// keepAsking asks the questions in turn, one at a time span, until the function it
// returns is called: as any client, a message on the stream of questions each.
func (s *system) keepAsking(t *testing.T, every time.Duration, all []question) (stop func()) {
	t.Helper()
	if len(all) == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	s.asked++
	wave := s.asked
	go func() {
		defer close(done)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for i := 0; ; i++ {
			q := all[i%len(all)]
			q.ID = fmt.Sprintf("q%d-%d", wave, i)
			text, err := json.Marshal(q)
			if err != nil {
				return
			}
			if c, err := net.DialTimeout("tcp", s.nats, time.Second); err == nil {
				fmt.Fprintf(c, "CONNECT {\"verbose\":false}\r\nPUB hop.v1.question.%s %d\r\n%s\r\nPING\r\n", q.ID, len(text), text)
				_ = c.SetReadDeadline(time.Now().Add(time.Second))
				buf := make([]byte, 4096)
				for n, err := c.Read(buf); err == nil && !strings.Contains(string(buf[:n]), "PONG"); {
					n, err = c.Read(buf)
				}
				c.Close()
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(stop)
	return stop
}

// sampleQuestions returns the sample's questions.
func sampleQuestions(t *testing.T) []question {
	t.Helper()
	var out []question
	for _, line := range lines(t, "../index/sample/questions.jsonl") {
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, question{Question: q.Question})
	}
	return out
}
