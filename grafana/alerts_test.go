package grafana

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/promqltest"
)

// TestAlerts runs every alert over twenty minutes of made-up metrics: once
// over a trouble it is for, and over times when it must keep quiet.
func TestAlerts(t *testing.T) {
	exprs := map[string]string{}
	for _, r := range rules(t) {
		if r.Alert == "" {
			continue
		}
		exprs[r.Alert] = written(t, r.Expr)
		if r.Annotations["summary"] == "" || r.Labels["severity"] == "" {
			t.Errorf("%s has no summary or severity", r.Alert)
		}
	}
	fired := map[string]bool{}
	for _, c := range []struct {
		name, alert, load string
		want              int // series that fire
	}{
		{"lag and no progress", "HopstreamStageStalled", `
			hopstream_stage_lag{job="h",stage="filter"} 7x40
			hopstream_stage_messages_total{job="h",stage="filter",outcome="done"} 90x40`, 1},
		{"lag and only retries", "HopstreamStageStalled", `
			hopstream_stage_lag{job="h",stage="filter"} 7x40
			hopstream_stage_messages_total{job="h",stage="filter",outcome="retried"} 0+5x40
			hopstream_stage_messages_total{job="h",stage="filter",outcome="done"} 90x40`, 1},
		{"lag and no worker at all", "HopstreamStageStalled", `
			hopstream_stage_lag{job="h",stage="filter",instance="a"} 7x40
			hopstream_stage_lag{job="h",stage="filter",instance="b"} 7x40`, 1},
		{"lag and one of two replicas works", "HopstreamStageStalled", `
			hopstream_stage_lag{job="h",stage="filter"} 7x40
			hopstream_stage_messages_total{job="h",stage="filter",outcome="done",instance="a"} 0+3x40
			hopstream_stage_messages_total{job="h",stage="filter",outcome="done",instance="b"} 9x40`, 0},
		{"idle", "HopstreamStageStalled", `
			hopstream_stage_lag{job="h",stage="filter"} 0x40
			hopstream_stage_messages_total{job="h",stage="filter",outcome="done"} 9x40`, 0},
		{"more retries than results", "HopstreamStageRetrying", `
			hopstream_stage_messages_total{job="h",stage="judge",outcome="retried"} 0+5x40
			hopstream_stage_messages_total{job="h",stage="judge",outcome="done"} 0+1x40`, 1},
		{"some retries", "HopstreamStageRetrying", `
			hopstream_stage_messages_total{job="h",stage="judge",outcome="retried"} 0+1x40
			hopstream_stage_messages_total{job="h",stage="judge",outcome="done"} 0+5x40`, 0},
		{"a dead letter just now", "HopstreamDeadLetters", `
			hopstream_dead_letters_total{job="h",stage="judge"} 0x38 1 1
			hopstream_dead_letters_total{job="h",stage="router"} 0x40`, 1},
		{"a dead letter long ago", "HopstreamDeadLetters", `
			hopstream_dead_letters_total{job="h",stage="judge"} 0 1x39`, 0},
		{"nearly full", "HopstreamOpenQuestionsNearLimit", `
			hopstream_open_questions{job="h",instance="a"} 9000x40
			hopstream_open_questions{job="h",instance="b"} 9000x40
			hopstream_open_questions_limit{job="h",instance="a"} 10000x40
			hopstream_open_questions_limit{job="h",instance="b"} 10000x40`, 1},
		{"half full", "HopstreamOpenQuestionsNearLimit", `
			hopstream_open_questions{job="h",instance="a"} 5000x40
			hopstream_open_questions_limit{job="h",instance="a"} 10000x40`, 0},
		{"a fifth fails", "HopstreamAvailabilityFastBurn", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+4x40
			hopstream_questions_total{job="h",class="single",status="failed"} 0+1x40`, 1},
		{"one failed, at night", "HopstreamAvailabilityFastBurn", `
			hopstream_questions_total{job="h",class="single",status="answered"} 9x40
			hopstream_questions_total{job="h",class="single",status="failed"} 0x38 1 1`, 0},
		{"a tenth unanswered", "HopstreamAvailabilityFastBurn", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+9x40
			hopstream_questions_total{job="h",class="single",status="unanswered"} 0+1x40`, 0},
		{"a twentieth failed, and none does now", "HopstreamAvailabilityFastBurn", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+4x40
			hopstream_questions_total{job="h",class="single",status="failed"} 0+1x8 8x32`, 0},
		{"many are cancelled", "HopstreamAvailabilityFastBurn", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+1x40
			hopstream_questions_total{job="h",class="single",status="cancelled"} 0+9x40`, 0},
		{"a fiftieth expires", "HopstreamAvailabilitySlowBurn", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+49x40
			hopstream_questions_total{job="h",class="none",status="expired"} 0+1x40`, 1},
		{"one of two hundred fails", "HopstreamAvailabilitySlowBurn", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+199x40
			hopstream_questions_total{job="h",class="single",status="failed"} 0+1x40`, 0},
		{"single questions take minutes", "HopstreamLatencyFastBurn", lateness("single", 8, 2), 1},
		{"a third is late", "HopstreamLatencyFastBurn", lateness("compound", 3, 7), 0},
		{"a third is late, for the week", "HopstreamLatencySlowBurn", lateness("compound", 3, 7), 1},
		{"all in time", "HopstreamLatencySlowBurn", lateness("single", 0, 9), 0},
		{"complex ones may take minutes", "HopstreamLatencySlowBurn", lateness("complex", 9, 1), 0},
		{"most unanswered", "HopstreamQuestionsUnanswered", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+1x40
			hopstream_questions_total{job="h",class="single",status="unanswered"} 0+2x40`, 1},
		{"some unanswered", "HopstreamQuestionsUnanswered", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+2x40
			hopstream_questions_total{job="h",class="single",status="unanswered"} 0+1x40`, 0},
		{"a replica behind", "HopstreamIndexBehind", `
			hopstream_index_lag{job="h",instance="a"} 5x40
			hopstream_index_lag{job="h",instance="b"} 5x39 0`, 1},
		{"a replica that loads and loads", "HopstreamIndexNotReady", `
			hopstream_index_ready{job="h",instance="a"} 0x40
			hopstream_index_ready{job="h",instance="b"} 0x10 1x29`, 1},
		{"a model away", "HopstreamModelUnavailable", `
			hopstream_model_calls_total{job="h",role="router",model="m",outcome="unavailable",instance="a"} 0+5x40
			hopstream_model_calls_total{job="h",role="judge",model="m",outcome="unavailable",instance="b"} 0+1x40
			hopstream_model_calls_total{job="h",role="judge",model="m",outcome="ok",instance="b"} 0+2x40
			hopstream_model_calls_total{job="h",role="judge",model="m",outcome="cached",instance="b"} 0+90x40`, 1},
		{"a model busy now and then", "HopstreamModelUnavailable", `
			hopstream_model_calls_total{job="h",role="router",model="m",outcome="unavailable"} 0+4x40
			hopstream_model_calls_total{job="h",role="router",model="m",outcome="ok"} 0+5x40`, 0},
		{"a model nobody asks", "HopstreamModelUnavailable", `
			hopstream_model_calls_total{job="h",role="router",model="m",outcome="unavailable"} 4x40
			hopstream_model_calls_total{job="h",role="router",model="m",outcome="ok"} 0x40`, 0},
		{"two steps of a question out of time", "HopstreamOutOfTime", `
			hopstream_given_up_total{job="h",stage="filter",reason="time"} 0+3x60
			hopstream_given_up_total{job="h",stage="generator",reason="time"} 0+1x60
			hopstream_questions_total{job="h",class="single",status="partial"} 0+2x60`, 1},
		{"replies of no use, and time enough", "HopstreamOutOfTime", `
			hopstream_given_up_total{job="h",stage="filter",reason="failure"} 0+9x60
			hopstream_given_up_total{job="h",stage="filter",reason="time"} 0+1x60
			hopstream_questions_total{job="h",class="single",status="answered"} 0+2x60`, 0},
		{"every ninth reply unusable", "HopstreamModelUnusable", `
			hopstream_model_calls_total{job="h",role="judge",model="m",outcome="ok"} 0+10x40
			hopstream_model_repairs_total{job="h",role="judge",model="m"} 0+1x40
			hopstream_model_unusable_total{job="h",role="judge",model="m"} 0+1x40
			hopstream_model_calls_total{job="h",role="router",model="m",outcome="ok"} 0+10x40
			hopstream_model_repairs_total{job="h",role="router",model="m"} 0x40
			hopstream_model_unusable_total{job="h",role="router",model="m"} 0x40`, 1},
		{"replies that were mended", "HopstreamModelUnusable", `
			hopstream_model_calls_total{job="h",role="judge",model="m",outcome="ok"} 0+20x40
			hopstream_model_repairs_total{job="h",role="judge",model="m"} 0+9x40
			hopstream_model_unusable_total{job="h",role="judge",model="m"} 0+1x40`, 0},
		{"a prompt cut just now", "HopstreamPromptsTruncated", `
			hopstream_model_truncations_total{job="h",role="answerer",model="m"} 0x38 1 1
			hopstream_model_truncations_total{job="h",role="judge",model="m"} 0x40`, 1},
		{"a prompt cut long ago", "HopstreamPromptsTruncated", `
			hopstream_model_truncations_total{job="h",role="answerer",model="m"} 0 1x39`, 0},
		{"lag and nobody to work on it", "HopstreamStageWithoutWorkers", `
			hopstream_stage_lag{job="h",stage="judge",instance="a"} 7x40
			hopstream_stage_concurrency{job="h",stage="judge",instance="a"} 0x40
			hopstream_stage_concurrency{job="h",stage="filter",instance="a"} 8x40`, 1},
		{"scaled to nothing, at rest", "HopstreamStageWithoutWorkers", `
			hopstream_stage_lag{job="h",stage="judge",instance="a"} 0x40
			hopstream_stage_concurrency{job="h",stage="judge",instance="a"} 0x40`, 0},
		{"one of two processes runs it", "HopstreamStageWithoutWorkers", `
			hopstream_stage_lag{job="h",stage="judge",instance="a"} 7x40
			hopstream_stage_concurrency{job="h",stage="judge",instance="a"} 0x40
			hopstream_stage_concurrency{job="h",stage="judge",instance="b"} 8x40`, 0},
		{"a message waits for minutes", "HopstreamStageBehind", `
			hopstream_stage_lag_age_seconds{job="h",stage="judge",instance="a"} 0+30x40
			hopstream_stage_lag_age_seconds{job="h",stage="filter",instance="a"} 3x40`, 1},
		{"nobody can be scraped", "HopstreamNoWorkers", `up{job="hopstream",instance="a"} 1x38 0 0`, 1},
		{"nobody is known", "HopstreamNoWorkers", `up{job="other",instance="a"} 1x40`, 1},
		{"one of two can be scraped", "HopstreamNoWorkers", `
			up{job="hopstream",instance="a"} 0x40
			up{job="hopstream",instance="b"} 1x40`, 0},
		{"one of two reaches NATS", "HopstreamNATSUnreachable", `
			up{job="hopstream",instance="a"} 1x40
			up{job="hopstream",instance="b"} 1x40
			hopstream_stage_lag{job="hopstream",instance="b",stage="judge"} 0x40
			hopstream_stage_lag{job="hopstream",instance="b",stage="router"} 0x40`, 1},
		{"a server of three is away", "HopstreamNATSReplicaDown", `
			hopstream_nats_replicas_down{job="h",instance="a"} 1x40
			hopstream_nats_replicas_down{job="h",instance="b"} 1x40`, 1},
		{"every copy is there", "HopstreamNATSReplicaDown", `hopstream_nats_replicas_down{job="h",instance="a"} 0x40`, 0},
		{"clocks ahead and behind", "HopstreamClockSkew", `
			hopstream_clock_offset_seconds{job="h",instance="a"} 9x40
			hopstream_clock_offset_seconds{job="h",instance="b"} -9x40
			hopstream_clock_offset_seconds{job="h",instance="c"} 0.5x40`, 2},
		{"one tenant waits while another is served", "HopstreamTenantStarving", `
			hopstream_tenant_waiting{job="h",tenant="a"} 5x40
			hopstream_tenant_waiting{job="h",tenant="b"} 5x40
			hopstream_tenant_admitted_total{job="h",tenant="a",priority="bulk"} 3x40
			hopstream_tenant_admitted_total{job="h",tenant="b",priority="bulk"} 0+3x40`, 1},
		{"nobody is served", "HopstreamTenantStarving", `
			hopstream_tenant_waiting{job="h",tenant="a"} 5x40
			hopstream_tenant_admitted_total{job="h",tenant="a",priority="bulk"} 3x40`, 0},
		{"one of two routers does not know yet who waits", "HopstreamTenantStarving", `
			hopstream_tenant_waiting{job="h",tenant="a",instance="new"} 0x40
			hopstream_tenant_waiting{job="h",tenant="a",instance="old"} 5x40
			hopstream_tenant_admitted_total{job="h",tenant="b",priority="bulk"} 0+3x40`, 1},
		{"one of two routers admits", "HopstreamTenantStarving", `
			hopstream_tenant_waiting{job="h",tenant="a",instance="r"} 5x40
			hopstream_tenant_waiting{job="h",tenant="a",instance="s"} 5x40
			hopstream_tenant_admitted_total{job="h",tenant="a",priority="bulk",instance="r"} 3x40
			hopstream_tenant_admitted_total{job="h",tenant="a",priority="bulk",instance="s"} 0+3x40`, 0},
		{"what is needed goes beyond a bound, and what has none is large", "HopstreamStorageNearLimit", `
			hopstream_storage_bytes{job="h",stream="trace"} 115x40
			hopstream_storage_limit_bytes{job="h",stream="trace"} 100x40
			hopstream_storage_bytes{job="h",stream="documents"} 950x40
			hopstream_storage_limit_bytes{job="h",stream="documents"} 0x40`, 1},
		{"as much is kept as may be", "HopstreamStorageNearLimit", `
			hopstream_storage_bytes{job="h",stream="trace"} 102x40
			hopstream_storage_limit_bytes{job="h",stream="trace"} 100x40`, 0},
		{"nearly no room", "HopstreamJetStreamNearlyFull", `
			hopstream_jetstream_bytes{job="h"} 90x40
			hopstream_jetstream_limit_bytes{job="h"} 100x40`, 1},
		{"room, or no bound", "HopstreamJetStreamNearlyFull", `
			hopstream_jetstream_bytes{job="h"} 50x40
			hopstream_jetstream_limit_bytes{job="h"} 0x40`, 0},
		{"an archive that is days old, and one that never was", "HopstreamArchiveLate", `
			hopstream_archive_last_success_timestamp_seconds{job="h"} -200000x40
			hopstream_archive_last_success_timestamp_seconds{job="none"} 0x40`, 1},
		{"a worker gone", "HopstreamWorkerDown", `
			up{job="hopstream",instance="a"} 1x39 0
			up{job="hopstream",instance="b"} 1x40
			up{job="hopstream",instance="c"} 1x40`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := promqltest.LoadedStorage(t, "load 30s\n"+strings.TrimSpace(c.load))
			got := query(t, engine(t), store, exprs[c.alert], time.Unix(0, 0).Add(20*time.Minute))
			vector, ok := got.(promql.Vector)
			if !ok || len(vector) != c.want {
				t.Errorf("%s: %d series fire, want %d: %s", c.alert, len(vector), c.want, got)
			}
		})
		fired[c.alert] = fired[c.alert] || c.want > 0
	}
	for alert := range exprs {
		if !fired[alert] {
			t.Errorf("no case makes %s fire", alert)
		}
	}
}

// lateness is a class's questions: so many late ones and in time, in each half minute.
func lateness(class string, late, inTime int) string {
	return strings.NewReplacer("CLASS", class, "LATE", fmt.Sprint(late), "GOOD", fmt.Sprint(inTime), "ALL", fmt.Sprint(late+inTime)).Replace(`
		hopstream_question_duration_seconds_bucket{job="h",class="CLASS",le="30.0"} 0+GOODx40
		hopstream_question_duration_seconds_bucket{job="h",class="CLASS",le="60.0"} 0+GOODx40
		hopstream_question_duration_seconds_bucket{job="h",class="CLASS",le="120.0"} 0+ALLx40
		hopstream_question_duration_seconds_count{job="h",class="CLASS"} 0+ALLx40` + others(class))
}

// others are the other classes, which nobody asks.
func others(class string) string {
	var out strings.Builder
	for _, c := range []string{"straightforward", "single", "complex"} {
		if c == class || c == "single" && class == "compound" {
			continue
		}
		for _, le := range []string{"30", "60", "120"} {
			fmt.Fprintf(&out, "\n\t\thopstream_question_duration_seconds_bucket{job=\"h\",class=%q,le=%q} 0x40", c, le)
		}
		fmt.Fprintf(&out, "\n\t\thopstream_question_duration_seconds_count{job=\"h\",class=%q} 0x40", c)
	}
	return out.String()
}

// written returns an expression with what the rules record written out.
func written(t *testing.T, expr string) string {
	t.Helper()
	for _, r := range rules(t) {
		if r.Record != "" {
			expr = regexp.MustCompile(regexp.QuoteMeta(r.Record)+`\b`).ReplaceAllLiteralString(expr, "("+r.Expr+")")
		}
	}
	return expr
}
