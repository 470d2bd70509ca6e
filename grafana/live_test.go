package grafana

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/tsdb"
)

var classes = []string{"straightforward", "single", "compound", "complex"}

// pipeline returns the stages' names, read from the rows of the stage table.
func pipeline(t *testing.T) []string {
	t.Helper()
	src, err := os.ReadFile("../stages/pipeline.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`\bName: "([a-z]+)"`).FindAllSubmatch(src, -1) {
		names = append(names, string(m[1]))
	}
	if len(names) < 8 {
		t.Fatalf("found the rows %v only; has the stage table moved?", names)
	}
	return names
}

// TestDashboardOverARunningSystem asks every question of the sample ten times
// of a real process while Prometheus' scraper watches it, and then runs every
// query of the dashboard and of the alerts over what was scraped. No model is
// asked here; TestModelPanels looks at their queries.
func TestDashboardOverARunningSystem(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs hopstream")
	}
	stages := pipeline(t)
	h := start(t)
	db := openDB(t)
	scrapeInto(t, db, "http://"+h.http+"/metrics")
	e := engine(t)

	h.run(t, "index", "--nats", h.nats, "../index/sample/corpus.jsonl")
	documents := float64(len(lines(t, "../index/sample/corpus.jsonl")))
	waitFor(t, e, db, `max(hopstream_index_documents)`, documents)
	waitFor(t, e, db, `max(hopstream_index_lag)`, 0)

	// Twice, so that every rate has something to grow from.
	asked := 0
	for wave := range 2 {
		in, out := filepath.Join(t.TempDir(), "in.jsonl"), filepath.Join(t.TempDir(), "out.jsonl")
		asked += questions(t, in, wave)
		h.run(t, "stream", "--nats", h.nats, "--in", in, "--out", out)
		if got := len(lines(t, out)); got != len(lines(t, in)) {
			t.Fatalf("wave %d: %d answers to %d questions", wave, got, len(lines(t, in)))
		}
		waitFor(t, e, db, `sum(hopstream_questions_total)`, float64(asked))
		waitFor(t, e, db, `max(hopstream_open_questions)`, 0)
	}

	now := time.Now()
	for _, p := range overview(t).Panels {
		for _, q := range p.Targets {
			expr := substitute(q.Expr)
			if madeUp(expr) {
				continue
			}
			got := query(t, e, db, expr, now)
			if !hasNumber(got) {
				t.Errorf("panel %q, query %s shows nothing: %s", p.Title, q.RefID, expr)
			}
			for label, want := range map[string][]string{"class": classes, "stage": stages} {
				if q.LegendFormat != "{{"+label+"}}" {
					continue
				}
				for _, value := range want {
					if !hasNumber(with(got, label, value)) {
						t.Errorf("panel %q, query %s shows nothing for %s: %s", p.Title, q.RefID, value, expr)
					}
				}
			}
		}
	}
	for _, v := range overview(t).Templating.List {
		if v.Type != "query" {
			continue
		}
		m := regexp.MustCompile(`^label_values\((.+), (\w+)\)$`).FindStringSubmatch(v.Definition)
		if m == nil {
			t.Errorf("variable %s asks for %q", v.Name, v.Definition)
			continue
		}
		if expr := fmt.Sprintf("count by (%s) (%s)", m[2], substitute(m[1])); !hasNumber(query(t, e, db, expr, now)) {
			t.Errorf("variable %s has no values: %s", v.Name, expr)
		}
	}
	for _, r := range rules(t) {
		query(t, e, db, r.Expr, now)
		expr, err := promqlParser().ParseExpr(r.Expr)
		if err != nil {
			t.Fatal(err)
		}
		parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
			if s, ok := n.(*parser.VectorSelector); ok && !madeUp(s.Name) && !hasNumber(query(t, e, db, s.String(), now)) {
				t.Errorf("alert %s asks for what is not there: %s", r.Alert, s)
			}
			return nil
		})
	}

	// The figures agree with what was done.
	for expr, want := range map[string]float64{
		`count(count by (class) (hopstream_question_duration_seconds_count > 0))`: float64(len(classes)),
		`sum(hopstream_question_duration_seconds_count)`:                          float64(asked),
		`sum(hopstream_question_steps_count)`:                                     float64(asked),
		`sum(hopstream_question_hops_count)`:                                      float64(asked),
		`sum(hopstream_stage_in_flight)`:                                          0,
		`sum(hopstream_dead_letters_total)`:                                       0,
		`count(hopstream_dead_letters_total)`:                                     float64(len(stages) + 1), // and of documents
		`sum(hopstream_stage_messages_total{stage="router", outcome="done"})`:     float64(asked),
		`min(up{job="hopstream", service="all"})`:                                 1,
	} {
		waitFor(t, e, db, expr, want)
	}
}

// hasNumber reports whether v holds a series with a number in it: a share of
// nothing is NaN, and a panel that shows it shows nothing.
func hasNumber(v parser.Value) bool {
	vector, ok := v.(promql.Vector)
	if !ok {
		return false
	}
	for _, s := range vector {
		if !math.IsNaN(s.F) && !math.IsInf(s.F, 0) {
			return true
		}
	}
	return false
}

// with returns the series of v whose label has the value.
func with(v parser.Value, label, value string) promql.Vector {
	var some promql.Vector
	vector, _ := v.(promql.Vector)
	for _, s := range vector {
		if s.Metric.Get(label) == value {
			some = append(some, s)
		}
	}
	return some
}

// waitFor waits until expr has one value, and that is want.
func waitFor(t *testing.T, e *promql.Engine, db *tsdb.DB, expr string, want float64) {
	t.Helper()
	var got parser.Value
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(scrapeInterval / 4) {
		got = query(t, e, db, expr, time.Now())
		if v, ok := got.(promql.Vector); ok && len(v) == 1 && v[0].F == want {
			return
		}
	}
	t.Fatalf("%s is not %v but %v", expr, want, got)
}

// questions writes the sample's questions five times over, each under an ID of
// its own, and returns how many there are.
func questions(t *testing.T, path string, wave int) int {
	t.Helper()
	var buf bytes.Buffer
	n := 0
	for _, line := range lines(t, "../index/sample/questions.jsonl") {
		var q struct{ ID, Question string }
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			fmt.Fprintf(&buf, "{\"id\":%q,\"question\":%q}\n", fmt.Sprintf("%s-%d-%d", q.ID, wave, i), q.Question)
			n++
		}
	}
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return n
}

func lines(t *testing.T, path string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		all = append(all, bytes.Clone(s.Bytes()))
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return all
}

// process is a running `hopstream up`.
type process struct{ bin, nats, http string }

// start builds the binary and runs it until the test ends, when it must leave
// on SIGTERM without an error.
func start(t *testing.T) *process {
	t.Helper()
	dir := t.TempDir()
	listen, web := freeAddr(t), freeAddr(t)
	p := &process{bin: filepath.Join(dir, "hopstream"), nats: "nats://" + listen, http: web}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", p.bin, "hopstream/cmd/hopstream")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var log bytes.Buffer
	up := exec.Command(p.bin, "up", "--data", filepath.Join(dir, "data"), "--listen", listen, "--http", web)
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
