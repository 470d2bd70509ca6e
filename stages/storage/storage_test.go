package storage_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/storage"
)

// kept is a log with messages of questions, and the time that a trimmer takes it to be.
type kept struct {
	*natstest.Rig
	now time.Time
}

func newKept(t *testing.T) *kept {
	t.Helper()
	return &kept{natstest.NewRig(t, log.Config{}, stages.Pipeline()), time.Now()}
}

// later makes it an hour later: what is stored by now is old.
func (k *kept) later() *kept { k.now = time.Now().Add(time.Hour); return k }

func (k *kept) put(t *testing.T, m messages.Message) {
	t.Helper()
	if err := k.Log.Put(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// trace stores inner messages of questions, two each, and their answers.
func (k *kept) trace(t *testing.T, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		h := messages.Head{ID: fmt.Sprintf("q%d", i), Question: "why?", Class: messages.Complex, Round: 1, Asked: time.Now(), Deadline: time.Now().Add(time.Minute)}
		k.put(t, &messages.Judge{Head: h})
		k.put(t, &messages.Generate{Head: h})
		k.put(t, &messages.Answer{ID: h.ID, Question: h.Question, Status: messages.Answered})
	}
}

func (k *kept) trim(t *testing.T, o storage.Options) error {
	t.Helper()
	o.Now = func() time.Time { return k.now }
	return storage.New(k.Log, o).Trim(t.Context())
}

func (k *kept) holds(t *testing.T, kind messages.Kind, want uint64) {
	t.Helper()
	st, err := k.Log.StreamState(t.Context(), kind)
	if err != nil || st.Msgs != want {
		t.Errorf("%d messages of kind %s, %v; want %d", st.Msgs, kind, err, want)
	}
}

func bound(b storage.Bounds) storage.Options { return storage.Options{Bounds: b} }

// TestTrace holds that a trace over its bound loses its oldest messages, at the same
// time in every stream.
func TestTrace(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	k.trace(t, 0, 50)
	if err := k.later().trim(t, bound(storage.Bounds{Trace: storage.Bound{Messages: 100}})); err != nil {
		t.Fatal(err)
	}
	k.holds(t, messages.KindJudge, 50) // just at the bound
	if err := k.trim(t, bound(storage.Bounds{Trace: storage.Bound{Messages: 50}})); err != nil {
		t.Fatal(err)
	}
	// Nine tenths of what is allowed, half of it in each stream. One more may be cut,
	// since the messages of a question follow each other.
	for _, kind := range []messages.Kind{messages.KindJudge, messages.KindGenerate} {
		st, err := k.Log.StreamState(t.Context(), kind)
		if err != nil || st.Msgs < 21 || st.Msgs > 23 {
			t.Errorf("%d messages of kind %s, %v", st.Msgs, kind, err)
		}
	}
	k.holds(t, messages.KindAnswer, 50)
}

// TestOpenQuestion holds that nothing is dropped that was stored since the oldest
// open question was, however much that is, and that the gate is told.
func TestOpenQuestion(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	id := (&messages.Question{ID: "open", Question: "why?"})
	if _, err := k.Client.Submit(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	k.trace(t, 0, 50)
	tight := storage.Bounds{Trace: storage.Bound{Bytes: 100}, Answers: storage.Bound{Messages: 10}}
	err := k.later().trim(t, bound(tight))
	if err == nil || !strings.Contains(err.Error(), "the trace hold") || !strings.Contains(err.Error(), "the answers hold") {
		t.Errorf("the gate is told %v", err)
	}
	k.holds(t, messages.KindJudge, 50)
	k.holds(t, messages.KindAnswer, 50)
	if err := k.Log.CloseQuestion(t.Context(), id.ID, id.Question); err != nil {
		t.Fatal(err)
	}
	if err := k.trim(t, bound(tight)); err != nil {
		t.Error(err)
	}
	k.holds(t, messages.KindJudge, 0) // one message is more than a hundred bytes
	k.holds(t, messages.KindAnswer, 9)
}

// TestYoungAnswers holds that an answer stays for as long as a message of its
// question could, whatever the bounds.
func TestYoungAnswers(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	k.trace(t, 0, 20)
	tight := storage.Bounds{Answers: storage.Bound{Messages: 5}, Least: 2 * time.Hour}
	if err := k.later().trim(t, bound(tight)); err == nil || !strings.Contains(err.Error(), "the answers hold") {
		t.Errorf("the gate is told %v", err)
	}
	k.holds(t, messages.KindAnswer, 20)
	k.now = k.now.Add(2 * time.Hour)
	if err := k.trim(t, bound(tight)); err != nil {
		t.Error(err)
	}
	k.holds(t, messages.KindAnswer, 4)
}

// TestArchiveFirst holds that answers are dropped, for their age or their number,
// only once they are archived.
func TestArchiveFirst(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]storage.Bound{"age": {Age: time.Minute}, "number": {Messages: 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKept(t)
			k.trace(t, 0, 20)
			archived := uint64(0)
			o := bound(storage.Bounds{Answers: b})
			o.Archived = func(context.Context) (uint64, error) { return archived, nil }
			k.later()
			_ = k.trim(t, o) // which tells that nothing could be dropped
			k.holds(t, messages.KindAnswer, 20)
			archived = 15
			_ = k.trim(t, o)
			k.holds(t, messages.KindAnswer, 5)
		})
	}
}

// TestDeadLetters holds that dead letters have a bound too.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	for i := range 20 {
		k.put(t, &messages.Dead{Stage: "judge", ID: fmt.Sprintf("q%d", i), Subject: "hop.v1.judge.q", Error: "testing", At: time.Now()})
	}
	if err := k.later().trim(t, bound(storage.Bounds{Dead: storage.Bound{Messages: 10}})); err != nil {
		t.Fatal(err)
	}
	k.holds(t, messages.KindDead, 9)
}
