package grafana

// perStage is a rate of a counter, by stage.
func perStage(metric string) []line {
	return []line{{"sum by (stage) (rate(" + metric + "[$__rate_interval]))", "{{stage}}"}}
}

// quantile is a quantile of a histogram, by a label.
func quantile(q, metric, label string) []line {
	return []line{{"histogram_quantile(" + q + ", sum by (" + label + ", le) (rate(" + metric + "_bucket{JOB}[$__rate_interval])))", "{{" + label + "}}"}}
}

// stagesBoard is for whoever operates the pipeline: are the objectives met, which
// stage holds the others up, and are there workers enough?
func stagesBoard() board {
	return board{
		file: "stages.json", uid: "hopstream-stages", title: "hopstream: stages", about: "Service levels, saturation, lag and scaling of hopstream's stages.",
		rows: []row{
			{"Service levels", []chart{
				{"Failed or expired", "percentunit", "Share of the questions, by the length of the window. The objective is 1 %.", []line{
					{"job:hopstream_questions_bad:ratio_rate5m{JOB}", "5 minutes"}, {"job:hopstream_questions_bad:ratio_rate30m{JOB}", "30 minutes"},
					{"job:hopstream_questions_bad:ratio_rate1h{JOB}", "1 hour"}, {"job:hopstream_questions_bad:ratio_rate6h{JOB}", "6 hours"}, {"job:hopstream_questions_bad:ratio_rate3d{JOB}", "3 days"}}, false},
				{"Late", "percentunit", "Share of the questions that ended later than their class should, by the length of the window. The objective is 5 %.", []line{
					{"job:hopstream_questions_slow:ratio_rate5m{JOB}", "5 minutes"}, {"job:hopstream_questions_slow:ratio_rate30m{JOB}", "30 minutes"},
					{"job:hopstream_questions_slow:ratio_rate1h{JOB}", "1 hour"}, {"job:hopstream_questions_slow:ratio_rate6h{JOB}", "6 hours"}, {"job:hopstream_questions_slow:ratio_rate3d{JOB}", "3 days"}}, false},
				{"Open questions", "short", "Beyond the limit, further ones are refused.", []line{
					{"max(hopstream_open_questions{JOB})", "open"}, {"max(hopstream_open_questions_limit{JOB})", "limit"}}, false},
			}},
			{"Saturation", []chart{
				{"Busy, by stage", "percentunit", "Messages in flight, of those that the stage's workers take at once.", []line{
					{"sum by (stage) (hopstream_stage_in_flight{JOB}) / (sum by (stage) (hopstream_stage_concurrency{JOB}) > 0)", "{{stage}}"}}, false},
				{"Lag, by stage", "short", "Messages that a stage has yet to finish.", []line{{"max by (stage) (hopstream_stage_lag{JOB})", "{{stage}}"}}, false},
				{"Age of the lag, by stage", "s", "Time since the oldest message was stored that the stage has yet to finish.", []line{{"max by (stage) (hopstream_stage_lag_age_seconds{JOB})", "{{stage}}"}}, false},
				{"Wait p95, by stage", "s", "Time that a message waits for its stage.", quantile("0.95", "hopstream_stage_wait_seconds", "stage"), false},
			}},
			{"Work", []chart{
				{"Messages done, by stage", "ops", "", perStage(`hopstream_stage_messages_total{JOB, outcome="done"}`), true},
				{"Work p95, by stage", "s", "Time that a stage works on a message.", quantile("0.95", "hopstream_stage_duration_seconds", "stage"), false},
				{"Redeliveries, by stage", "ops", "Messages that were delivered more than once: their worker was killed, or too slow to renew them.", perStage("hopstream_stage_redeliveries_total{JOB}"), false},
				{"Retries, by stage", "ops", "Messages that failed and are tried again.", perStage(`hopstream_stage_messages_total{JOB, outcome="retried"}`), false},
			}},
			{"Scaling", []chart{
				{"Workers, by stage", "short", "Processes that run the stage; one that drains no longer counts.", []line{{"sum by (stage) (hopstream_stage_concurrency{JOB} > bool 0)", "{{stage}}"}}, true},
				{"Messages at once, by stage", "short", "What all workers of a stage take together.", []line{{"sum by (stage) (hopstream_stage_concurrency{JOB})", "{{stage}}"}}, false},
				{"Processes", "short", "Processes that can be scraped, and that cannot.", []line{{"sum(up{JOB})", "up"}, {"count(up{JOB}) - sum(up{JOB})", "down"}}, false},
				{"Processes, by version", "short", "More than one during an upgrade only.", []line{{"count by (version) (hopstream_build_info{JOB})", "{{version}}"}}, true},
				{"Sub-queries, by what became of them", "ops", "Where questions share work: own and taken over were worked on, shared took another's answer.", []line{{"sum by (how) (rate(hopstream_subqueries_total{JOB}[$__rate_interval]))", "{{how}}"}}, true},
			}},
			{"Surroundings", []chart{
				{"Copies on NATS servers that are away or behind", "short", "", []line{{"max(hopstream_nats_replicas_down{JOB})", "copies"}}, false},
				{"Clocks off the NATS server's", "s", "", []line{{"abs(hopstream_clock_offset_seconds{JOB})", "{{instance}}"}}, false},
			}},
			{"Tenants", []chart{
				{"Open questions, by tenant", "short", "Admitted questions that have not ended, of all routers, and how many they may have admitted.", []line{{"sum by (tenant) (hopstream_tenant_open{JOB})", "{{tenant}}"}, {"sum(hopstream_admission_window{JOB})", "admitted at once"}}, false},
				{"Waiting questions, by tenant", "short", "Every router tells of all that wait.", []line{{"max by (tenant) (hopstream_tenant_waiting{JOB})", "{{tenant}}"}}, false},
				{"Admitted, by tenant and priority", "reqps", "", []line{{"sum by (tenant, priority) (rate(hopstream_tenant_admitted_total{JOB}[$__rate_interval]))", "{{tenant}}, {{priority}}"}}, true},
				{"Wait for admission p95, by priority", "s", "", quantile("0.95", "hopstream_tenant_wait_seconds", "priority"), false},
			}},
			{"Storage", []chart{
				{"Stored", "bytes", "", []line{{"max by (stream) (hopstream_storage_bytes{JOB})", "{{stream}}"}}, true},
				{"Messages stored", "short", "", []line{{"max by (stream) (hopstream_storage_messages{JOB})", "{{stream}}"}}, false},
				{"Full", "percentunit", "Bytes stored, of those to which they are trimmed, and of those that JetStream may store where that is known. A busy system keeps as much of traces and answers as it may: 100 % is well. At 125 % no questions are taken.", []line{
					{"max by (stream) (hopstream_storage_bytes{JOB}) / max by (stream) (hopstream_storage_limit_bytes{JOB} > 0)", "{{stream}}"},
					{"max(hopstream_jetstream_bytes{JOB}) / max(hopstream_jetstream_limit_bytes{JOB} > 0)", "JetStream"}}, false},
				{"Answers archived", "ops", "", []line{{"sum(rate(hopstream_archive_answers_total{JOB}[$__rate_interval]))", "answers"}}, false},
				{"Age of the archive", "s", "Time since every answer was archived last; nothing where none are.", []line{{"time() - max(hopstream_archive_last_success_timestamp_seconds{JOB} > 0)", "age"}}, false},
			}},
		},
	}
}

// modelsBoard is for whoever pays for the models, or runs their servers.
func modelsBoard() board {
	roles := func(metric string) string { return "sum by (role) (rate(" + metric + "[$__rate_interval]))" }
	models := func(metric string) string { return "sum by (model) (rate(" + metric + "[$__rate_interval]))" }
	return board{
		file: "models.json", uid: "hopstream-models", title: "hopstream: models and cost", about: "What hopstream's models do, how well, and what it costs by the configured prices.",
		rows: []row{
			{"Cost, in the currency of the configured prices", []chart{
				{"Per question", "short", "What the models of a question cost.", []line{{"sum(rate(hopstream_model_cost_total{JOB}[$__rate_interval])) / sum(rate(hopstream_questions_total{JOB}[$__rate_interval]))", "a question"}}, false},
				{"Per hour, by model", "short", "", []line{{"3600 * " + models("hopstream_model_cost_total{JOB}"), "{{model}}"}}, true},
				{"Per hour, by role", "short", "", []line{{"3600 * " + roles("hopstream_model_cost_total{JOB}"), "{{role}}"}}, true},
				{"In the time shown, by model", "short", "", []line{{"sum by (model) (increase(hopstream_model_cost_total{JOB}[$__range]))", "{{model}}"}}, false},
			}},
			{"Tokens and calls", []chart{
				{"Tokens, by type", "short", "Tokens a second.", []line{{"sum by (type) (rate(hopstream_model_tokens_total{JOB}[$__rate_interval]))", "{{type}}"}}, true},
				{"Tokens per question", "short", "", []line{{"sum by (type) (rate(hopstream_model_tokens_total{JOB}[$__rate_interval])) / on () group_left () sum(rate(hopstream_questions_total{JOB}[$__rate_interval]))", "{{type}}"}}, false},
				{"Calls, by role", "ops", "", []line{{roles("hopstream_model_calls_total{JOB}"), "{{role}}"}}, true},
				{"Calls that cost nothing", "percentunit", "Share of the calls that were answered from what is kept, or by another's reply.", []line{
					{"sum by (outcome) (rate(hopstream_model_calls_total{JOB, outcome=~\"shared|cached|kept\"}[$__rate_interval])) / on () group_left () sum(rate(hopstream_model_calls_total{JOB}[$__rate_interval]))", "{{outcome}}"}}, true},
			}},
			{"Latency and slots", []chart{
				{"Call p50, by role", "s", "", quantile("0.5", "hopstream_model_call_duration_seconds", "role"), false},
				{"Call p95, by role", "s", "", quantile("0.95", "hopstream_model_call_duration_seconds", "role"), false},
				{"Waiting for a slot p95, by role", "s", "", quantile("0.95", "hopstream_model_queue_seconds", "role"), false},
				{"Slots in use, by model", "percentunit", "Calls that a model's server works on, of those that hopstream makes at once.", []line{
					{"sum by (model) (hopstream_model_in_flight{JOB}) / sum by (model) (hopstream_model_concurrency{JOB})", "{{model}}"}}, false},
			}},
			{"Quality", []chart{
				{"Unusable replies, by role", "ops", "Replies that could not be read even when they were asked for again.", []line{{roles("hopstream_model_unusable_total{JOB}"), "{{role}}"}}, false},
				{"Repaired, and answered by the other engine", "ops", "", []line{{roles("hopstream_model_repairs_total{JOB}"), "repaired, {{role}}"}, {roles("hopstream_model_fallbacks_total{JOB}"), "other engine, {{role}}"}}, false},
				{"Calls that came to nothing", "ops", "", []line{{"sum by (outcome) (rate(hopstream_model_calls_total{JOB, outcome=~\"failed|unavailable|late|cancelled\"}[$__rate_interval]))", "{{outcome}}"}}, true},
				{"Prompts cut, and passages left out", "ops", "", []line{{roles("hopstream_model_truncations_total{JOB}"), "cut, {{role}}"}, {roles("hopstream_model_dropped_passages_total{JOB}"), "left out, {{role}}"}}, false},
			}},
		},
	}
}
