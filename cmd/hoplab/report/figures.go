package report

import (
	"encoding/json"
	"slices"

	"hopstream/cmd/hoplab/score"
	"hopstream/messages"
)

// Mean is a metric's mean over the questions it applies to, with its
// confidence interval, as shown: percentages of shares.
type Mean struct {
	Value float64 `json:"mean"`
	score.Interval
	N int `json:"n"` // questions it applies to
}

// Figures are the aggregates of a set of records.
type Figures struct {
	Questions int
	Means     map[string]Mean // by the keys of Metrics
	Funnel    map[string]Mean // by the keys of Funnel
	Recall    []RecallAt      // the curve
	P50MS     float64
	P95MS     float64
	Status    map[messages.Status]int
	Class     map[messages.Class]int // as which they were answered
	// AUROC is how well the confidence tells right answers from wrong and invented
	// ones, from 0 to 1; nil where there are not both, or no engine says it.
	AUROC  *float64
	Router *Router // nil where it was not asked, or no gold class is known
}

// RecallAt is a point of the recall curve, in percent.
type RecallAt struct {
	K      int     `json:"k"`
	Recall float64 `json:"recall"`
}

// Router is how well the router found the gold classes, in percent.
type Router struct {
	Accuracy  float64            `json:"accuracy"`
	Recall    map[string]float64 `json:"recall"`
	Precision map[string]float64 `json:"precision"`
	Confusion score.Confusion    `json:"confusion"` // gold class, then the router's
}

// curve returns the values of k of the recall curve.
func curve() []int { return []int{1, 2, 3, 5, 10, 20, 30, 50} }

// Sum returns the figures of records.
func Sum(records []Record) *Figures {
	f := &Figures{
		Questions: len(records), Means: means(records, Metrics()), Funnel: means(records, Funnel()),
		Status: map[messages.Status]int{}, Class: map[messages.Class]int{},
	}
	latencies := make([]float64, 0, len(records))
	confusion := score.Confusion{}
	withGold := false
	for i := range records {
		r := &records[i]
		f.Status[r.Status]++
		f.Class[r.Class]++
		latencies = append(latencies, r.LatencyMS)
		withGold = withGold || len(r.GoldRanks) > 0
		if r.Gold != "" && r.Routed != "" {
			confusion.Add(string(r.Gold), string(r.Routed))
		}
	}
	slices.Sort(latencies)
	f.P50MS, f.P95MS = score.Quantile(latencies, .5), score.Quantile(latencies, .95)
	if withGold {
		for _, k := range curve() {
			values := collect(records, recall(k))
			f.Recall = append(f.Recall, RecallAt{k, 100 * score.Mean(values)})
		}
	}
	f.AUROC = auroc(records)
	if confusion.Total() > 0 {
		f.Router = routerOf(confusion)
	}
	return f
}

// auroc measures the confidence of the answers that were given.
func auroc(records []Record) *float64 {
	var right, wrong []float64
	said := false
	for i := range records {
		r := &records[i]
		switch {
		case !r.Measured() || !r.Given():
			continue
		case r.Right():
			right = append(right, r.Confidence)
		default:
			wrong = append(wrong, r.Confidence)
		}
		said = said || r.Confidence > 0
	}
	if area, ok := score.AUROC(right, wrong); ok && said {
		return &area
	}
	return nil
}

func routerOf(c score.Confusion) *Router {
	r := &Router{Accuracy: 100 * c.Accuracy(), Recall: map[string]float64{}, Precision: map[string]float64{}, Confusion: c}
	for gold := range c {
		r.Recall[gold], r.Precision[gold] = 100*c.Recall(gold), 100*c.Precision(gold)
	}
	return r
}

// collect returns a metric's values over the records that it applies to.
func collect(records []Record, of func(*Record) (float64, bool)) []float64 {
	values := make([]float64, 0, len(records))
	for i := range records {
		if v, ok := of(&records[i]); ok {
			values = append(values, v)
		}
	}
	return values
}

func means(records []Record, of []Metric) map[string]Mean {
	out := map[string]Mean{}
	for _, m := range of {
		values := collect(records, m.of)
		if len(values) == 0 {
			if m.always {
				out[m.Key] = Mean{}
			}
			continue
		}
		ci := score.Bootstrap(values)
		out[m.Key] = Mean{m.Scale * score.Mean(values), score.Interval{Low: m.Scale * ci.Low, High: m.Scale * ci.High}, len(values)}
	}
	return out
}

// MarshalJSON writes the means as plain numbers under their keys, and the
// intervals beside them.
func (f *Figures) MarshalJSON() ([]byte, error) {
	intervals := map[string]score.Interval{}
	counts := map[string]int{}
	out := map[string]any{
		"questions": f.Questions, "latency_p50_ms": f.P50MS, "latency_p95_ms": f.P95MS,
		"status": f.Status, "class": f.Class, "intervals": intervals, "counts": counts,
	}
	for key, m := range f.Means {
		out[key], intervals[key], counts[key] = m.Value, m.Interval, m.N
	}
	if len(f.Funnel) > 0 {
		out["funnel"] = f.Funnel
	}
	if len(f.Recall) > 0 {
		out["recall_curve"] = f.Recall
	}
	if f.AUROC != nil {
		out["auroc"] = *f.AUROC
	}
	if f.Router != nil {
		out["router"] = f.Router
	}
	return json.Marshal(out)
}
