package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/client"
)

func TestSecondSubmission(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	var asked atomic.Int64
	classify := e.ClassifyFunc
	e.ClassifyFunc = func(ctx context.Context, q string) (messages.Class, error) {
		asked.Add(1)
		return classify(ctx, q)
	}
	r := newRig(t, e, options())
	first := r.ask(t, messages.Question{ID: "q", Question: "single one"})
	again, err := r.Client.Submit(t.Context(), &messages.Question{ID: "q", Question: "single one"})
	if err != nil || again == nil || again.Answer != first.Answer {
		t.Errorf("%+v, %v", again, err)
	}
	_, err = r.Client.Submit(t.Context(), &messages.Question{ID: "q", Question: "single two"})
	if !errors.Is(err, client.ErrClash) || !strings.Contains(err.Error(), "choose a new ID") {
		t.Errorf("the same ID with another text: %v", err)
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
	r.verify(t, "q")
}

func TestSubmissionWhileOpen(t *testing.T) {
	t.Parallel()
	r := idleRig(t, options())
	r.submit(t, messages.Question{ID: "q", Question: "single one"})
	r.submit(t, messages.Question{ID: "q", Question: "single one"})
	if _, err := r.Client.Submit(t.Context(), &messages.Question{ID: "q", Question: "single two"}); !errors.Is(err, client.ErrClash) {
		t.Errorf("the same ID with another text: %v", err)
	}
	r.run(t, fullEngine(), options())
	r.answer(t, "q")
	r.verify(t, "q")
}

// TestRawClient asks with nothing but NATS.
func TestRawClient(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	sub, err := r.Conn.SubscribeSync("hop.v1.answer.raw-1")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Conn.Publish("hop.v1.question.raw-1", []byte(`{"question":"compound one"}`)); err != nil {
		t.Fatal(err)
	}
	msg, err := sub.NextMsg(20 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		ID, Question, Answer, Status, Class string
		Steps                               int
		Hops, Citations                     []any
		Usage                               map[string]int
		LatencyMS                           float64 `json:"latency_ms"`
	}
	if err := json.Unmarshal(msg.Data, &a); err != nil {
		t.Fatal(err)
	}
	if a.ID != "raw-1" || a.Status != "answered" || a.Answer != "<compound one c>" || a.Class != "compound" || a.Steps != 1 ||
		len(a.Hops) != 3 || len(a.Citations) != 1 || len(a.Usage) != 3 || a.LatencyMS <= 0 {
		t.Errorf("%s", msg.Data)
	}
	r.verify(t, "raw-1")
}

// TestRawRepeats publishes an answered ID again, past the client's checks.
func TestRawRepeats(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	r.ask(t, messages.Question{ID: "q", Question: "single one"})
	r.verify(t, "q")
	r.publish(t, "hop.v1.question.q", `{"question":"single one"}`)
	r.verify(t, "q")
	if n := len(r.letters(t)); n != 0 {
		t.Errorf("the same question again became %d dead letters", n)
	}
	r.publish(t, "hop.v1.question.q", `{"question":"single two"}`)
	if d := r.letter(t); !strings.Contains(d.Error, "ID q was used for another question") || !strings.Contains(string(d.Data), "single two") {
		t.Errorf("%+v", d)
	}
	if a := r.verify(t, "q")["q"]; a.Question != "single one" || a.Status != messages.Answered {
		t.Errorf("the first answer became %+v", a)
	}
}
