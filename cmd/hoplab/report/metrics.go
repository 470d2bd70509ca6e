package report

import "hopstream/messages"

// Metric is what is averaged over the questions it applies to.
type Metric struct {
	Key   string  // in JSON
	Name  string  // in tables
	Title string  // in full
	Scale float64 // factor for display: 100 for shares, else 1

	always bool // in every table and JSON, even where it applies to no question
	detail bool // in tables only together with the funnel
	of     func(*Record) (v float64, applies bool)
}

// Metrics are all of them, in the order of tables.
func Metrics() []Metric {
	return []Metric{
		{"em", "EM", "exact match", 100, true, false, answered(func(r *Record) float64 { return r.EM })},
		{"f1", "F1", "token F1", 100, true, false, answered(func(r *Record) float64 { return r.F1 })},
		{"acc", "Acc", "gold answer contained", 100, true, false, answered(func(r *Record) float64 { return r.Acc })},
		{"judged", "Judged", "judged to mean the same", 100, false, false, func(r *Record) (float64, bool) {
			if r.Judged != nil && *r.Judged {
				return 1, true
			}
			return 0, r.Judged != nil
		}},
		{"aa", "AA", "share of given answers that are right", 100, false, false, known(func(r *Record) *float64 { return r.AA })},
		{"ac", "AC", "share of gold answers that were given", 100, false, false, known(func(r *Record) *float64 { return r.AC })},
		{"steps", "Steps", "rounds per question", 1, true, false, each(func(r *Record) float64 { return float64(r.Steps) })},
		{"recall_at_2", "R@2", "gold passages among the first 2", 100, true, false, recall(2)},
		{"recall_at_5", "R@5", "gold passages among the first 5", 100, true, false, recall(5)},
		{"recall_at_10", "R@10", "gold passages among the first 10", 100, true, false, recall(10)},
		{"succ", "Succ", "a gold answer was retrieved", 100, true, false, withGold(func(r *Record) float64 { return r.Succ })},
		{"coverage", "Cover", "questions that were given an answer", 100, false, false, answered(func(r *Record) float64 { return share(r.Given()) })},
		{"risk", "Risk", "given answers that are wrong", 100, false, false, func(r *Record) (float64, bool) {
			return share(!r.Right()), r.Measured() && r.Given()
		}},
		{"invented", "Invent", "unanswerable questions that were given an answer", 100, false, false, func(r *Record) (float64, bool) {
			return share(r.Given()), r.Unanswerable
		}},
		{"refused", "Refuse", "unanswerable questions that were refused", 100, false, false, func(r *Record) (float64, bool) {
			return share(r.Status == messages.Unanswered), r.Unanswerable
		}},
		{"irr", "IRR", "share of gold facts retrieved", 100, false, true, known(func(r *Record) *float64 { return r.IRR })},
		{"h_mix", "Hmix", "entropy of the queries, nats", 1, false, true, known(func(r *Record) *float64 { return r.HMix })},
		{"model_calls", "calls", "model calls per question", 1, true, false, each(func(r *Record) float64 { return float64(r.ModelCalls) })},
		{"tokens", "tokens", "tokens per question", 1, true, false, each(func(r *Record) float64 { return float64(r.Tokens) })},
	}
}

// Funnel are the metrics of what is left of the gold behind each stage.
func Funnel() []Metric {
	return []Metric{
		{"retrieved", "retrieved", "gold passages retrieved in any round", 100, false, false, func(r *Record) (float64, bool) { return r.Retrieved(), len(r.GoldRanks) > 0 }},
		{"kept", "kept", "gold passages that passed the filter", 100, false, false, known(func(r *Record) *float64 { return r.Kept })},
		{"windowed", "window", "gold answers inside an aligned window", 100, false, false, known(func(r *Record) *float64 { return r.Windowed })},
		{"extracted", "answer", "gold answer in the answer", 100, false, false, withGold(func(r *Record) float64 { return r.Acc })},
	}
}

// each is a metric of every question.
func each(get func(*Record) float64) func(*Record) (float64, bool) {
	return func(r *Record) (float64, bool) { return get(r), true }
}

// answered is a metric of the questions of which it is known what is right.
func answered(get func(*Record) float64) func(*Record) (float64, bool) {
	return func(r *Record) (float64, bool) { return get(r), r.Measured() }
}

// withGold is a metric of the questions that have a gold answer.
func withGold(get func(*Record) float64) func(*Record) (float64, bool) {
	return func(r *Record) (float64, bool) { return get(r), len(r.Wanted) > 0 }
}

// share is 1 for what is, else 0.
func share(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// known is a metric of the questions that have it.
func known(get func(*Record) *float64) func(*Record) (float64, bool) {
	return func(r *Record) (float64, bool) {
		if p := get(r); p != nil {
			return *p, true
		}
		return 0, false
	}
}

// recall is recall@k of the questions with gold passages.
func recall(k int) func(*Record) (float64, bool) {
	return func(r *Record) (float64, bool) { return r.Recall(k), len(r.GoldRanks) > 0 }
}
