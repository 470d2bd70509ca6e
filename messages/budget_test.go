package messages_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
)

func TestDeadlineForms(t *testing.T) {
	t.Parallel()
	stored := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		json string
		want time.Duration // after stored
	}{
		{`"90s"`, 90 * time.Second}, {`"1h30m"`, 90 * time.Minute}, {`90`, 90 * time.Second}, {`0.5`, 500 * time.Millisecond},
		{`1e-12`, 1}, {`"2026-05-01T12:10:00Z"`, 10 * time.Minute}, {`"2026-05-01T14:10:00.5+02:00"`, 10*time.Minute + 500*time.Millisecond},
		{`null`, time.Hour}, {`""`, time.Hour},
	} {
		var d messages.Deadline
		if err := json.Unmarshal([]byte(c.json), &d); err != nil {
			t.Errorf("%s: %v", c.json, err)
			continue
		}
		if got := d.From(stored, time.Hour).Sub(stored); got != c.want {
			t.Errorf("%s means %v, want %v", c.json, got, c.want)
		}
		if d.IsZero() {
			continue
		}
		again, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back messages.Deadline
		if err := json.Unmarshal(again, &back); err != nil || !back.From(stored, 0).Equal(d.From(stored, 0)) {
			t.Errorf("%s became %s (%v)", c.json, again, err)
		}
	}
	for _, bad := range []string{`0`, `-1`, `"0s"`, `"-5m"`, `"soon"`, `true`, `{}`, `[1]`, `1e10`, `"2026-05-01"`,
		`"2026-05-01T12:10:00+24:00"`, `"0001-01-01T00:00:00Z"`} {
		var d messages.Deadline
		if err := json.Unmarshal([]byte(bad), &d); err == nil || !strings.Contains(err.Error(), "want a time") {
			t.Errorf("%s: %+v, %v", bad, d, err)
		}
	}
}

func TestBudgetOr(t *testing.T) {
	t.Parallel()
	d := messages.Budget{Rounds: 2, Branches: 3, ModelCalls: 4, Tokens: 5}
	for _, c := range []struct{ asked, want messages.Budget }{
		{messages.Budget{}, d},
		{messages.Budget{Rounds: 1, Tokens: 1}, messages.Budget{Rounds: 1, Branches: 3, ModelCalls: 4, Tokens: 1}},
		{messages.Budget{Rounds: 1 << 40, Branches: 30, ModelCalls: -1, Tokens: 51}, messages.Budget{Rounds: 20, Branches: 30, ModelCalls: 4, Tokens: 50}},
	} {
		if got := c.asked.Or(d); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.asked, got, c.want)
		}
	}
	if got := (messages.Budget{Branches: 1 << 20}).Or(messages.Budget{Branches: 1000}).Branches; got != messages.MaxBranches {
		t.Errorf("%d branches are more than a round can have", got)
	}
}

func TestAccept(t *testing.T) {
	t.Parallel()
	p := messages.Policy{MaxDeadline: 10 * time.Minute}
	for _, c := range []struct {
		deadline messages.Deadline
		want     time.Duration
	}{
		{messages.Deadline{}, 5 * time.Minute},
		{messages.Deadline{After: time.Minute}, time.Minute},
		{messages.Deadline{After: time.Hour}, 10 * time.Minute},
		{messages.Deadline{At: asked.Add(-time.Second)}, -time.Second},
		{messages.Deadline{At: asked.AddDate(9, 0, 0)}, 10 * time.Minute},
	} {
		q := messages.Question{Question: "x", Deadline: c.deadline}
		q.Accept("id", asked, p, "trace")
		h := q.Meta()
		if got := h.Deadline.Sub(asked); got != c.want || h.ID != "id" || h.Question != "x" || h.Trace != "trace" || h.Budget != messages.DefaultBudget() {
			t.Errorf("%+v: deadline after %v, head %+v", c.deadline, got, h)
		}
	}
}

// TestRoundStaysInBudget spends, in every branch of a round, all that remains
// to it, and looks at the sum.
func TestRoundStaysInBudget(t *testing.T) {
	t.Parallel()
	for branches := 1; branches <= 9; branches++ {
		for spent := range 12 {
			h := head(1, 0, 0)
			h.Budget = messages.Budget{ModelCalls: 20, Tokens: 100}
			h.Usage = messages.Usage{ModelCalls: spent, PromptTokens: spent, CompletionTokens: spent}
			plan := messages.Plan{Head: h, Queries: make([]string, branches)}
			total := h.Usage
			for _, m := range plan.Retrieves() {
				r := m.(*messages.Retrieve)
				first := r.Remaining()
				r.Usage.ModelCalls += first.ModelCalls / 2 // in two steps of the branch
				r.Usage.CompletionTokens += first.PromptTokens / 2
				second := r.Remaining()
				r.Usage.ModelCalls += second.ModelCalls
				r.Usage.PromptTokens += second.PromptTokens
				if left := r.Remaining(); !left.IsZero() {
					t.Fatalf("something remains: %+v", left)
				}
				total = total.Add(r.Usage.Sub(r.Base))
			}
			if total.ModelCalls > 19 || total.PromptTokens+total.CompletionTokens > 100 {
				t.Errorf("%d branches after %d calls used %+v", branches, spent, total)
			}
			joined := h
			joined.Usage = total
			synthesis := messages.Generate{Head: joined}
			if left := synthesis.Remaining(); left.ModelCalls < 1 || left.ModelCalls+total.ModelCalls > 20 || left.PromptTokens < 1 {
				t.Errorf("%d branches after %d calls leave %+v to the synthesis", branches, spent, left)
			}
		}
	}
}

func TestRemainingOfSingle(t *testing.T) {
	t.Parallel()
	h := head(0, 0, 0)
	h.Base, h.Usage = messages.Usage{}, messages.Usage{ModelCalls: 1}
	h.Budget = messages.Budget{ModelCalls: 3, Tokens: 10}
	r := messages.FirstRetrieve(h)
	if left := r.Remaining(); left.ModelCalls != 2 || left.PromptTokens != 10 {
		t.Errorf("%+v remains to the only branch", left)
	}
}
