// Package grafana holds no code but these tests of the dashboard and the
// alerts. They run what Prometheus runs: its parsers, its scraper, its storage
// and its query engine, the last over the metrics of a working hopstream.
package grafana

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/common/promslog"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// contract lists every metric hopstream promises: each must be looked at by
// the dashboard or an alert.
var contract = []string{
	"hopstream_questions_total", "hopstream_question_duration_seconds", "hopstream_question_steps", "hopstream_question_hops", "hopstream_questions_rerouted_total", "hopstream_plans_repaired_total",
	"hopstream_stage_duration_seconds", "hopstream_stage_wait_seconds", "hopstream_stage_messages_total",
	"hopstream_stage_in_flight", "hopstream_stage_redeliveries_total", "hopstream_stage_conflicts_total",
	"hopstream_stage_lag", "hopstream_dead_letters_total", "hopstream_open_questions",
	"hopstream_index_documents", "hopstream_index_passages", "hopstream_index_lag", "hopstream_index_ready",
}

// modelContract lists the metrics of the processes that ask models. A test of
// cmd/internal/telemetry holds that they have these names.
var modelContract = []string{
	"hopstream_model_calls_total", "hopstream_model_tokens_total", "hopstream_model_call_duration_seconds",
	"hopstream_model_queue_seconds", "hopstream_model_in_flight", "hopstream_model_concurrency",
	"hopstream_model_repairs_total", "hopstream_model_unusable_total", "hopstream_model_fallbacks_total",
	"hopstream_model_truncations_total", "hopstream_model_dropped_passages_total",
}

// searchContract lists the metrics of searchers, likewise.
var searchContract = []string{"hopstream_searcher_requests_total", "hopstream_searcher_duration_seconds"}

// madeUp reports whether expr asks for metrics that the live test need not
// have: those of models and of searchers, which have made-up figures instead.
func madeUp(expr string) bool {
	return strings.Contains(expr, "hopstream_model_") || strings.Contains(expr, "hopstream_searcher_")
}

// dashboard is what the tests read of overview.json.
type dashboard struct {
	UID           string
	Title         string
	SchemaVersion int
	Templating    struct {
		List []struct {
			Name, Type string
			Query      any
			Definition string
			Datasource source
		}
	}
	Panels []panel
}

type source struct{ Type, UID string }

type panel struct {
	ID          int
	Type, Title string
	GridPos     struct{ H, W, X, Y int }
	Datasource  source
	Repeat      string
	Targets     []struct {
		RefID        string
		Expr         string
		LegendFormat string
		Datasource   source
	}
}

func overview(t *testing.T) dashboard {
	t.Helper()
	data, err := os.ReadFile("overview.json")
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// substitute puts the values of a short dashboard in place of its variables.
func substitute(expr string) string {
	return strings.NewReplacer("$__rate_interval", "5m", "$__range", "5m", "$job", ".*", "$class", ".*").Replace(expr)
}

func promqlParser() parser.Parser { return parser.NewParser(parser.Options{}) }

// rules returns the alerting rules, checked as Prometheus checks them when it
// reads the file: unknown fields, expressions and templates.
func rules(t *testing.T) []rulefmt.Rule {
	t.Helper()
	groups, errs := rulefmt.ParseFile("alerts.yaml", false, model.UTF8Validation, promqlParser(), promslog.NewNopLogger())
	for _, err := range errs {
		t.Error(err)
	}
	if groups == nil {
		t.FailNow()
	}
	var all []rulefmt.Rule
	for _, g := range groups.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

func TestDashboardIsWhole(t *testing.T) {
	d := overview(t)
	if d.UID != "hopstream-overview" || d.Title == "" || d.SchemaVersion < 39 {
		t.Errorf("uid %q, title %q, schema %d", d.UID, d.Title, d.SchemaVersion)
	}
	known := map[string]bool{"__rate_interval": true, "__range": true}
	for _, v := range d.Templating.List {
		known[v.Name] = true
		if v.Type == "query" && v.Datasource.UID != "${datasource}" {
			t.Errorf("variable %s asks %q", v.Name, v.Datasource.UID)
		}
	}
	if !known["datasource"] || !known["job"] {
		t.Errorf("variables: %v", known)
	}
	ids, cells := map[int]bool{}, map[[2]int]string{}
	for _, p := range d.Panels {
		if ids[p.ID] || p.Title == "" {
			t.Errorf("panel %d %q: ID not its own or no title", p.ID, p.Title)
		}
		ids[p.ID] = true
		for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
			for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
				if other := cells[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("panel %q lies over %q or beyond the edge", p.Title, other)
				}
				cells[[2]int{x, y}] = p.Title
			}
		}
		if (p.Type == "row") != (len(p.Targets) == 0) {
			t.Errorf("panel %q of type %s has %d queries", p.Title, p.Type, len(p.Targets))
		}
		if p.Repeat != "" && !known[p.Repeat] {
			t.Errorf("panel %q repeats over unknown $%s", p.Title, p.Repeat)
		}
		for _, q := range p.Targets {
			if p.Datasource.UID != "${datasource}" || q.Datasource.UID != "${datasource}" {
				t.Errorf("panel %q asks %q, %q", p.Title, p.Datasource.UID, q.Datasource.UID)
			}
			for _, m := range regexp.MustCompile(`\$\{?(\w+)`).FindAllStringSubmatch(q.Expr, -1) {
				if !known[m[1]] {
					t.Errorf("panel %q uses unknown $%s", p.Title, m[1])
				}
			}
			if !strings.Contains(q.Expr, `job=~"$job"`) {
				t.Errorf("panel %q, query %s ignores the job: %s", p.Title, q.RefID, q.Expr)
			}
			if _, err := promqlParser().ParseExpr(substitute(q.Expr)); err != nil {
				t.Errorf("panel %q, query %s: %v", p.Title, q.RefID, err)
			}
		}
	}
}

func TestEveryMetricIsLookedAt(t *testing.T) {
	var exprs strings.Builder
	for _, p := range overview(t).Panels {
		for _, q := range p.Targets {
			exprs.WriteString(q.Expr + "\n")
		}
	}
	for _, r := range rules(t) {
		exprs.WriteString(r.Expr + "\n")
	}
	used := map[string]bool{}
	for _, name := range regexp.MustCompile(`\bhopstream_\w+`).FindAllString(exprs.String(), -1) {
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			name = strings.TrimSuffix(name, suffix)
		}
		used[name] = true
	}
	for _, name := range slices.Concat(contract, modelContract, searchContract) {
		if !used[name] {
			t.Errorf("nothing looks at %s", name)
		}
		delete(used, name)
	}
	if len(used) > 0 {
		t.Errorf("not in the contract: %v", used)
	}
}
