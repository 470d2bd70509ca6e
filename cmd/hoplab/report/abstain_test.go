package report_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/hoplab/report"
	"hopstream/messages"
)

// abstaining are five questions with a gold answer and three without. Seven are
// measured further: of one nothing is known.
func abstaining() []report.Record {
	gold := []string{"x"}
	yes := true
	return []report.Record{
		{ID: "1", Wanted: gold, Answer: "x", Status: messages.Answered, EM: 1, F1: 1, Acc: 1, Confidence: .9},
		{ID: "2", Wanted: gold, Answer: "ex", Status: messages.Answered, Judged: &yes, Confidence: .5}, // right, as judged
		{ID: "3", Wanted: gold, Answer: "y", Status: messages.Partial, Confidence: .5},                 // wrong
		{ID: "4", Wanted: gold, Status: messages.Unanswered},                                           // refused though there is an answer
		{ID: "5", Unanswerable: true, Status: messages.Unanswered, EM: 1, F1: 1, Acc: 1},               // refused
		{ID: "6", Unanswerable: true, Answer: "z", Status: messages.Answered, Confidence: .2},          // invented
		{ID: "7", Unanswerable: true, Status: messages.Failed},                                         // neither
		{ID: "8", Answer: "?", Status: messages.Answered, Confidence: 1},                               // nothing is known of it
	}
}

func TestAbstention(t *testing.T) {
	t.Parallel()
	f := report.Sum(abstaining())
	for key, want := range map[string]struct {
		value float64
		n     int
	}{
		"em": {200.0 / 7, 7}, "acc": {200.0 / 7, 7}, "succ": {0, 4},
		"coverage": {400.0 / 7, 7}, // 1, 2, 3, 6
		"risk":     {50, 4},        // 3 and 6 of them
		"invented": {100.0 / 3, 3}, "refused": {100.0 / 3, 3},
	} {
		if m := f.Means[key]; math.Abs(m.Value-want.value) > 1e-9 || m.N != want.n {
			t.Errorf("%s is %+v, want %v of %d", key, m, want.value, want.n)
		}
	}
	// Right .9 and .5 against wrong .5 and .2: 1, 1, a tie, 1.
	if f.AUROC == nil || math.Abs(*f.AUROC-3.5/4) > 1e-12 {
		t.Errorf("AUROC is %v", f.AUROC)
	}
	silent := abstaining()
	for i := range silent {
		silent[i].Confidence = 0
	}
	if f := report.Sum(silent); f.AUROC != nil {
		t.Errorf("AUROC is %v of an engine that does not say how sure it is", *f.AUROC)
	}
}

func TestAbstentionIsShown(t *testing.T) {
	t.Parallel()
	run := report.NewRun("d", "p", "e", "f", abstaining())
	run.Withheld, run.LeftOut = true, 3
	var b bytes.Buffer
	if err := report.Table(&b, []report.Run{run}, report.TableOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Cover", "Risk", "Invent", "Refuse", "AUROC", "57.1", "0.875", "gold withheld, 3 questions without known gold left out"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	js, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"auroc":0.875`, `"risk":50`, `"invented":33.3`, `"refused":33.3`, `"coverage":57.1`, `"withheld_gold":true`, `"left_out":3`} {
		if !strings.Contains(string(js), want) {
			t.Errorf("no %s in %s", want, js)
		}
	}
	b.Reset()
	if err := report.HTML(&b, []report.Run{run}, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<th>AUROC</th>", "<td>0.875</td>", "<em>no answer</em>", "gold withheld"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	plain := report.NewRun("d", "p", "e", "f", []report.Record{{ID: "1", Wanted: []string{"x"}}})
	b.Reset()
	if err := report.Table(&b, []report.Run{plain}, report.TableOptions{}); err != nil || strings.Contains(b.String(), "Invent") || strings.Contains(b.String(), "AUROC") {
		t.Errorf("%v: columns of what no run has:\n%s", err, b.String())
	}
}
