package grafana

import (
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
		exprs[r.Alert] = r.Expr
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
			hopstream_open_questions{job="h",instance="b"} 9000x40`, 1},
		{"half full", "HopstreamOpenQuestionsNearLimit", `hopstream_open_questions{job="h",instance="a"} 5000x40`, 0},
		{"minutes a question", "HopstreamSlow", `
			hopstream_question_duration_seconds_bucket{job="h",class="complex",le="60"} 0x40
			hopstream_question_duration_seconds_bucket{job="h",class="complex",le="120"} 0+5x40
			hopstream_question_duration_seconds_bucket{job="h",class="complex",le="+Inf"} 0+5x40`, 1},
		{"no questions", "HopstreamSlow", `
			hopstream_question_duration_seconds_bucket{job="h",class="complex",le="60"} 1x40
			hopstream_question_duration_seconds_bucket{job="h",class="complex",le="+Inf"} 5x40`, 0},
		{"a tenth fail", "HopstreamQuestionsFailing", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+9x40
			hopstream_questions_total{job="h",class="single",status="failed"} 0+1x40`, 1},
		{"one failed, at night", "HopstreamQuestionsFailing", `
			hopstream_questions_total{job="h",class="single",status="answered"} 9x40
			hopstream_questions_total{job="h",class="single",status="failed"} 0x38 1 1`, 0},
		{"a tenth unanswered", "HopstreamQuestionsFailing", `
			hopstream_questions_total{job="h",class="single",status="answered"} 0+9x40
			hopstream_questions_total{job="h",class="single",status="unanswered"} 0+1x40`, 0},
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
