package main

import (
	"slices"

	"hopstream/cmd/hopstream/score"
	"hopstream/index"
	"hopstream/messages"
)

// figures are means over questions; percentages but for Steps, calls, tokens
// and milliseconds.
type figures struct {
	Questions  int                     `json:"questions"`
	EM         float64                 `json:"em"`
	F1         float64                 `json:"f1"`
	Acc        float64                 `json:"acc"`
	Steps      float64                 `json:"steps"`
	Recall2    float64                 `json:"recall_at_2"`
	Recall5    float64                 `json:"recall_at_5"`
	Recall10   float64                 `json:"recall_at_10"`
	Succ       float64                 `json:"succ"`
	ModelCalls float64                 `json:"model_calls"`
	Tokens     float64                 `json:"tokens"`
	P50MS      float64                 `json:"latency_p50_ms"`
	P95MS      float64                 `json:"latency_p95_ms"`
	Status     map[messages.Status]int `json:"status"`
	Class      map[messages.Class]int  `json:"class"`

	withGold int
	latency  []float64
}

func (f *figures) add(q goldQuestion, a *messages.Answer, found []messages.Passage) {
	f.Questions++
	f.EM += score.EM(a.Answer, q.Answers)
	f.F1 += score.F1(a.Answer, q.Answers)
	f.Acc += score.Acc(a.Answer, q.Answers)
	f.Steps += float64(a.Steps)
	f.ModelCalls += float64(a.Usage.ModelCalls)
	f.Tokens += float64(a.Usage.PromptTokens + a.Usage.CompletionTokens)
	f.latency = append(f.latency, a.LatencyMS)
	f.Status[a.Status]++
	f.Class[a.Class]++
	ids := make([]string, 0, len(found))
	succ := 0.0
	for _, p := range found {
		if id := index.DocID(p.ID); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		succ = max(succ, score.Acc(p.Title+" "+p.Text, q.Answers))
	}
	f.Succ += succ
	if len(q.Supporting) > 0 {
		f.withGold++
		f.Recall2 += score.Recall(ids, q.Supporting, 2)
		f.Recall5 += score.Recall(ids, q.Supporting, 5)
		f.Recall10 += score.Recall(ids, q.Supporting, 10)
	}
}

func (f *figures) means() {
	n, g := float64(max(1, f.Questions)), float64(max(1, f.withGold))
	for _, v := range []*float64{&f.EM, &f.F1, &f.Acc, &f.Succ} {
		*v *= 100 / n
	}
	for _, v := range []*float64{&f.Steps, &f.ModelCalls, &f.Tokens} {
		*v /= n
	}
	for _, v := range []*float64{&f.Recall2, &f.Recall5, &f.Recall10} {
		*v *= 100 / g
	}
	slices.Sort(f.latency)
	f.P50MS, f.P95MS = quantile(f.latency, .5), quantile(f.latency, .95)
}

func newFigures() *figures {
	return &figures{Status: map[messages.Status]int{}, Class: map[messages.Class]int{}}
}

// quantile of sorted values, by nearest rank.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
