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

	"github.com/prometheus/prometheus/promql/parser"
)

// contract lists every metric hopstream promises: each must be looked at by
// the dashboard or an alert.
var contract = []string{
	"hopstream_questions_total", "hopstream_question_duration_seconds", "hopstream_question_steps", "hopstream_question_hops", "hopstream_questions_rerouted_total", "hopstream_plans_repaired_total",
	"hopstream_stage_duration_seconds", "hopstream_stage_wait_seconds", "hopstream_stage_messages_total",
	"hopstream_stage_in_flight", "hopstream_stage_redeliveries_total", "hopstream_stage_conflicts_total",
	"hopstream_stage_lag", "hopstream_dead_letters_total", "hopstream_given_up_total", "hopstream_open_questions",
	"hopstream_index_documents", "hopstream_index_passages", "hopstream_index_lag", "hopstream_index_ready",
	"hopstream_stage_lag_age_seconds", "hopstream_stage_concurrency", "hopstream_open_questions_limit", "hopstream_subqueries_total",
	"hopstream_nats_replicas_down", "hopstream_clock_offset_seconds", "hopstream_build_info",
	"hopstream_tenant_open", "hopstream_tenant_waiting", "hopstream_tenant_admitted_total", "hopstream_tenant_wait_seconds", "hopstream_admission_window",
	"hopstream_storage_bytes", "hopstream_storage_limit_bytes", "hopstream_storage_messages", "hopstream_jetstream_bytes", "hopstream_jetstream_limit_bytes",
	"hopstream_archive_answers_total", "hopstream_archive_last_success_timestamp_seconds",
}

// modelContract lists the metrics of the processes that ask models. A test of
// cmd/internal/telemetry holds that they have these names.
var modelContract = []string{
	"hopstream_model_calls_total", "hopstream_model_tokens_total", "hopstream_model_call_duration_seconds",
	"hopstream_model_queue_seconds", "hopstream_model_in_flight", "hopstream_model_concurrency",
	"hopstream_model_repairs_total", "hopstream_model_unusable_total", "hopstream_model_fallbacks_total",
	"hopstream_model_truncations_total", "hopstream_model_dropped_passages_total",
	"hopstream_model_cost_total",
}

// searchContract lists the metrics of searchers, likewise.
var searchContract = []string{"hopstream_searcher_requests_total", "hopstream_searcher_duration_seconds"}

// madeUp reports whether expr asks for metrics that the live test need not
// have: those of models and of searchers, which have made-up figures instead, and
// what rules record.
func madeUp(expr string) bool {
	return recorded(expr) || strings.Contains(expr, "hopstream_model_") || strings.Contains(expr, "hopstream_searcher_")
}

// recorded reports whether an expression asks for what a rule records.
func recorded(expr string) bool { return regexp.MustCompile(`\bjob:hopstream_`).MatchString(expr) }

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

// dashboardFiles are the dashboards' files, by UID.
var dashboardFiles = map[string]string{"hopstream-overview": "overview.json", "hopstream-stages": "stages.json", "hopstream-models": "models.json"}

// dashboards returns all dashboards.
func dashboards(t *testing.T) []dashboard {
	t.Helper()
	var all []dashboard
	for uid, file := range dashboardFiles {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d dashboard
		if err := json.Unmarshal(data, &d); err != nil {
			t.Fatal(err)
		}
		if d.UID != uid {
			t.Errorf("%s has the UID %q, not %q", file, d.UID, uid)
		}
		all = append(all, d)
	}
	return all
}

// panels returns the panels of all dashboards.
func panels(t *testing.T) []panel {
	t.Helper()
	var all []panel
	for _, d := range dashboards(t) {
		all = append(all, d.Panels...)
	}
	return all
}

// substitute puts the values of a short dashboard in place of its variables.
func substitute(expr string) string {
	return strings.NewReplacer("$__rate_interval", "5m", "$__range", "5m", "$job", ".*", "$class", ".*").Replace(expr)
}

func promqlParser() parser.Parser { return parser.NewParser(parser.Options{}) }

func TestDashboardIsWhole(t *testing.T) {
	for _, d := range dashboards(t) {
		t.Run(d.UID, func(t *testing.T) { isWhole(t, d) })
	}
}

func isWhole(t *testing.T, d dashboard) {
	t.Helper()
	if d.Title == "" || d.SchemaVersion < 39 {
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
	for _, p := range panels(t) {
		for _, q := range p.Targets {
			exprs.WriteString(q.Expr + "\n")
		}
	}
	for _, r := range rules(t) {
		exprs.WriteString(r.Expr + "\n")
	}
	used := map[string]bool{}
	for _, name := range regexp.MustCompile(`\b(?:job:)?hopstream_\w+`).FindAllString(exprs.String(), -1) {
		if strings.HasPrefix(name, "job:") { // recorded by a rule
			continue
		}
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
