package runner_test

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

// verify reads from the streams themselves that every question has exactly
// one answer and nobody else has one, that none is open, that no subject holds
// two messages, and that no stage has anything left to do. It returns the
// answers.
func (r *rig) verify(t testing.TB, ids ...string) map[string]*messages.Answer {
	t.Helper()
	natstest.Eventually(t, "no question is open", func() bool {
		st, err := r.Log.StreamState(t.Context(), messages.KindQuestion)
		return err == nil && st.Msgs == 0
	})
	for _, s := range stages.Pipeline() {
		natstest.Eventually(t, "stage "+s.Name+" is done", func() bool {
			lag, err := r.Log.Lag(t.Context(), s)
			return err == nil && lag.Total() == 0
		})
	}
	for _, k := range messages.Kinds() {
		if k == messages.KindDocument {
			continue
		}
		for subject, n := range r.subjects(t, k) {
			if n != 1 {
				t.Errorf("%s holds %d messages", subject, n)
			}
		}
	}
	answers := map[string]*messages.Answer{}
	for _, s := range r.stored(t, messages.KindAnswer) {
		m, err := messages.Decode(messages.KindAnswer, s.Data)
		if err != nil {
			t.Errorf("%s: %v", s.Subject, err)
			continue
		}
		a := m.(*messages.Answer)
		answers[a.ID] = a
	}
	for _, id := range ids {
		if answers[id] == nil {
			t.Errorf("question %s has no answer", id)
		}
	}
	if len(answers) != len(ids) {
		t.Errorf("%d answers to %d questions", len(answers), len(ids))
	}
	return answers
}

// stored returns every message of a kind.
func (r *rig) stored(t testing.TB, k messages.Kind) (all []*log.Stored) {
	t.Helper()
	for from := uint64(1); ; {
		page, err := r.Log.Range(t.Context(), k, from, 256)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			return all
		}
		all, from = append(all, page...), page[len(page)-1].Seq+1
	}
}

// subjects returns how many messages each subject of a kind holds.
func (r *rig) subjects(t testing.TB, k messages.Kind) map[string]uint64 {
	t.Helper()
	s, err := r.Log.JetStream().Stream(t.Context(), r.Log.Names().Stream(k))
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Info(t.Context(), jetstream.WithSubjectFilter(">"))
	if err != nil {
		t.Fatal(err)
	}
	return info.State.Subjects
}

// letters returns the dead letters, which must all give a reason.
func (r *rig) letters(t testing.TB) (all []*messages.Dead) {
	t.Helper()
	for _, s := range r.stored(t, messages.KindDead) {
		m, err := messages.Decode(messages.KindDead, s.Data)
		if err != nil {
			t.Fatal(err)
		}
		d := m.(*messages.Dead)
		if strings.TrimSpace(d.Error) == "" || d.Deliveries < 1 || d.Seq == 0 {
			t.Errorf("a dead letter tells too little: %+v", d)
		}
		all = append(all, d)
	}
	return all
}

// letter waits for the only dead letter.
func (r *rig) letter(t testing.TB) *messages.Dead {
	t.Helper()
	natstest.Eventually(t, "a dead letter", func() bool { return len(r.letters(t)) > 0 })
	all := r.letters(t)
	if len(all) != 1 {
		t.Fatalf("%d dead letters: %+v", len(all), all)
	}
	return all[0]
}
