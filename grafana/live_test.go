package grafana

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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
		h.run(t, "stream", "--nats", h.nats, "--tenant", "acme", "--in", in, "--out", out)
		if got := len(lines(t, out)); got != len(lines(t, in)) {
			t.Fatalf("wave %d: %d answers to %d questions", wave, got, len(lines(t, in)))
		}
		waitFor(t, e, db, `sum(hopstream_questions_total)`, float64(asked))
		waitFor(t, e, db, `max(hopstream_open_questions)`, 0)
		waitFor(t, e, db, `sum(hopstream_archive_answers_total)`, float64(asked))
	}

	now := time.Now()
	for _, p := range panels(t) {
		for _, q := range p.Targets {
			expr := substitute(q.Expr)
			if madeUp(expr) {
				continue
			}
			got := query(t, e, db, expr, now)
			if !hasNumber(got) {
				t.Errorf("panel %q, query %s shows nothing: %s", p.Title, q.RefID, expr)
			}
			for label, want := range map[string][]string{"class": classes, "stage": stages, "stream": kept(q.Expr), "tenant": {"acme"}} {
				if q.LegendFormat != "{{"+label+"}}" {
					continue
				}
				for _, value := range want {
					if !hasNumber(seriesWith(got, label, value)) {
						t.Errorf("panel %q, query %s shows nothing for %s: %s", p.Title, q.RefID, value, expr)
					}
				}
			}
		}
	}
	for _, d := range dashboards(t) {
		variables(t, e, db, d, now)
	}
	for _, r := range rules(t) {
		query(t, e, db, r.Expr, now)
		expr, err := promqlParser().ParseExpr(r.Expr)
		if err != nil {
			t.Fatal(err)
		}
		parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
			if s, ok := n.(*parser.VectorSelector); ok && !madeUp(s.Name) && !hasNumber(query(t, e, db, s.String(), now)) {
				t.Errorf("rule %s asks for what is not there: %s", cmp.Or(r.Alert, r.Record), s)
			}
			return nil
		})
	}
	agree(t, e, db, asked, stages)
}

// kept are the streams that a query about storage must show: for their share of a
// bound, those that have one.
func kept(expr string) []string {
	if strings.Contains(expr, "hopstream_storage_limit_bytes") {
		return []string{"trace", "answers", "dead"}
	}
	return []string{"questions", "trace", "answers", "dead", "documents"}
}

// variables holds that the variables of a dashboard have values.
func variables(t *testing.T, e *promql.Engine, db *tsdb.DB, d dashboard, now time.Time) {
	t.Helper()
	for _, v := range d.Templating.List {
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
}

// agree holds that the figures agree with what was done.
func agree(t *testing.T, e *promql.Engine, db *tsdb.DB, asked int, stages []string) {
	t.Helper()
	for expr, want := range map[string]float64{
		`count(count by (class) (hopstream_question_duration_seconds_count > 0))`:            float64(len(classes)),
		`sum(hopstream_question_duration_seconds_count)`:                                     float64(asked),
		`sum(hopstream_question_steps_count)`:                                                float64(asked),
		`sum(hopstream_question_hops_count)`:                                                 float64(asked),
		`sum(hopstream_stage_in_flight)`:                                                     0,
		`sum(hopstream_dead_letters_total)`:                                                  0,
		`count(hopstream_dead_letters_total)`:                                                float64(len(stages) + 1), // and of documents
		`sum(hopstream_stage_messages_total{stage="router", outcome="done"})`:                float64(asked),
		`min(up{job="hopstream", service="all"})`:                                            1,
		`sum(hopstream_tenant_admitted_total{tenant="acme", priority="bulk"})`:               float64(asked),
		`sum(hopstream_tenant_wait_seconds_count)`:                                           float64(asked),
		`max by () (hopstream_tenant_waiting{tenant="acme"})`:                                0,
		`sum(hopstream_tenant_open)`:                                                         0,
		`max by () (hopstream_storage_messages{stream="answers"})`:                           float64(asked),
		`max by () (hopstream_storage_messages{stream="questions"})`:                         0,
		`count(hopstream_jetstream_bytes > 0) == count(hopstream_jetstream_limit_bytes > 0)`: 1,
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

// seriesWith returns the series of v whose label has the value.
func seriesWith(v parser.Value, label, value string) promql.Vector {
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
