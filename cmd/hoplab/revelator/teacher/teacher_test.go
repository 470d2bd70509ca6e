package teacher

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

var (
	bridge  = Thing{[]string{"Lumen Bridge"}}
	passage = messages.Passage{ID: "b", Title: "Lumen Bridge", Text: "The plans of the Lumen Bridge were drawn by Orla Venn. It was opened on 4 May 1931."}
)

// told returns a teacher whose model gives these replies, and the model.
func told(journal *Journal, replies ...string) (*Teacher, *model.Scripted) {
	s := &model.Scripted{Replies: replies}
	return New(model.New(s, model.Options{Name: "m"}), 2, journal), s
}

// What is written is used if it fulfils all that was asked for; else the model is
// shown once what is wrong.
func TestQuestion(t *testing.T) {
	t.Parallel()
	good := `{"question":"Who drew the plans of the Lumen Bridge?","answer":"Orla Venn"}`
	for reply, wrong := range map[string]string{
		good: "",
		`{"question":"Who drew the plans of the Lumen Bridge?","answer":"Orla Vann"}`:                 "does not stand in the passage",
		`{"question":"Who drew the plans of the Lumen Bridge?","answer":"the"}`:                       `"answer" is empty`,
		`{"question":"Who drew the plans of it?","answer":"Orla Venn"}`:                               `does not name "Lumen Bridge"`,
		`{"question":"Did Orla Venn draw the plans of the Lumen Bridge?","answer":"Orla Venn"}`:       "stands in the question",
		`{"question":"Tell me who drew the plans of the Lumen Bridge.","answer":"Orla Venn"}`:         "ends with a question mark",
		`{"question":"What is said of the Lumen Bridge?","answer":"` + passage.Text[:60] + `"}`:       "more than 10 words",
		`{"question":"What of the Lumen Bridge? When was it opened?","answer":"4 May 1931"}`:          "not one question",
		`{"question":"` + strings.Repeat("Why? ", 60) + `Lumen Bridge?","answer":"Orla Venn"}`:        "the limit is 200",
		`{"question":"When was the Lumen Bridge opened?","answer":"` + strings.Repeat("x", 90) + `"}`: "the limit is 80",
	} {
		teacher, m := told(nil, reply, good)
		w, ok, err := teacher.Question(t.Context(), bridge, passage)
		if err != nil || !ok || w.Answer != "Orla Venn" {
			t.Fatalf("%s: %+v %v %v", reply, w, ok, err)
		}
		asked := m.Asked()
		said := asked[len(asked)-1].Messages
		if wrong == "" && len(asked) != 1 || wrong != "" && (len(asked) != 2 || !strings.Contains(said[len(said)-1].Text, wrong)) {
			t.Errorf("%s: asked %d times, at last %q, want %q", reply, len(asked), said[len(said)-1].Text, wrong)
		}
	}
	for _, replies := range [][]string{{`{"question":"","answer":""}`}, {"nonsense, twice over, and of many words", "still nonsense, and of many words"}} {
		teacher, m := told(nil, replies...)
		if w, ok, err := teacher.Question(t.Context(), bridge, passage); ok || err != nil || len(m.Asked()) != len(replies) {
			t.Errorf("%q: %+v %v %v after %d", replies, w, ok, err, len(m.Asked()))
		}
	}
}

func TestCombine(t *testing.T) {
	t.Parallel()
	parts := []Written{{"Who drew the plans of the Lumen Bridge for Harland?", "Orla Venn"}, {"In which month of 1931 was the Lumen Bridge opened?", "May"}}
	good := `{"question":"Who drew the plans of the Lumen Bridge for Harland, and in which month of 1931 was it opened?"}`
	for reply, wrong := range map[string]string{
		good: "",
		`{"question":"Who drew its plans for Harland, and when in 1931 was it opened?"}`:                    "does not name",
		`{"question":"Who drew the plans of the Lumen Bridge for Harland, and when was it opened?"}`:        `lacks "1931"`,
		`{"question":"Who drew the plans of the Lumen Bridge, and when in 1931 was it opened?"}`:            `lacks "Harland"`,
		`{"question":"Who drew the plans of the Lumen Bridge for Harland, and was it opened in May 1931?"}`: `tells the answer "May"`,
		`{"question":"Who drew the plans of the Lumen Bridge for Harland?"}`:                                "only one of the questions",
	} {
		teacher, m := told(nil, reply, good)
		q, ok, err := teacher.Combine(t.Context(), bridge, parts)
		if err != nil || !ok || !strings.HasPrefix(q, "Who drew the plans of the Lumen Bridge for Harland, and in") {
			t.Fatalf("%s: %q %v %v", reply, q, ok, err)
		}
		asked := m.Asked()
		said := asked[len(asked)-1].Messages
		if (wrong == "") != (len(asked) == 1) || !strings.Contains(said[len(said)-1].Text, wrong) {
			t.Errorf("%s: asked %d times, at last %q, want %q", reply, len(asked), said[len(said)-1].Text, wrong)
		}
	}
	for _, no := range []string{`{"question":""}`, `{"question":"No."}`, "no"} {
		teacher, _ := told(nil, no, no)
		if q, ok, err := teacher.Combine(t.Context(), bridge, parts); ok || err != nil {
			t.Errorf("%s: %q %v %v", no, q, ok, err)
		}
	}
}

// What was asked once is not asked again, in this run or the next one.
func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	ask := func(replies ...string) (yes, ok bool, calls int) {
		j, err := OpenJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		teacher, m := told(j, replies...)
		for range 2 {
			if yes, ok, err = teacher.Relevant(t.Context(), "Who?", passage); err != nil {
				t.Fatal(err)
			}
		}
		if err := teacher.Close(); err != nil {
			t.Fatal(err)
		}
		return yes, ok, len(m.Asked())
	}
	if yes, ok, calls := ask(`{"relevant":true}`); !yes || !ok || calls != 1 {
		t.Errorf("at first: %v %v after %d calls", yes, ok, calls)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"hopstream_reply":"half a li`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if yes, ok, calls := ask(`{"relevant":false}`); !yes || !ok || calls != 0 {
		t.Errorf("in the next run: %v %v after %d calls", yes, ok, calls)
	}
	path = filepath.Join(t.TempDir(), "replies.jsonl")
	if _, ok, calls := ask("a text of many words that is no reply at all"); ok || calls != 2 {
		t.Errorf("of an unusable one: %v after %d calls", ok, calls)
	}
	if _, ok, calls := ask(`{"relevant":true}`); ok || calls != 0 {
		t.Errorf("of an unusable one, in the next run: %v after %d calls", ok, calls)
	}
	foreign := filepath.Join(t.TempDir(), "notes.txt")
	for _, text := range []string{"mine", "mine\n"} {
		if err := os.WriteFile(foreign, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenJournal(foreign); !errors.Is(err, errNoJournal) {
			t.Errorf("%q opens: %v", text, err)
		}
	}
}

// A server that is away is waited for, with pauses that double, and not for ever.
func TestPatience(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		away   int
		err    error
		pauses []time.Duration
		fails  bool
	}{
		{2, fault.AsUnavailable(errors.New("away"), 0), []time.Duration{time.Second, 2 * time.Second}, false},
		{1, fault.AsUnavailable(errors.New("busy"), 7*time.Second), []time.Duration{7 * time.Second}, false},
		{99, errors.New("reset"), []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}, true},
		{1, fault.Permanentf("forbidden"), nil, true},
	} {
		calls := 0
		s := &model.Scripted{ChatFunc: func(context.Context, *model.Chat) (*model.Reply, error) {
			if calls++; calls <= c.away {
				return nil, c.err
			}
			return &model.Reply{Text: `{"relevant":true}`}, nil
		}}
		teacher := New(model.New(s, model.Options{Name: "m"}), 1, nil)
		var pauses []time.Duration
		teacher.pause = func(_ context.Context, d time.Duration) error {
			pauses = append(pauses, d)
			return nil
		}
		_, ok, err := teacher.Relevant(t.Context(), "Who?", passage)
		if (err != nil) != c.fails || ok == c.fails || len(pauses) != len(c.pauses) {
			t.Fatalf("%v: %v %v after %v", c.err, ok, err, pauses)
		}
		for i := range pauses {
			if pauses[i] != c.pauses[i] {
				t.Errorf("%v: pauses of %v, want %v", c.err, pauses, c.pauses)
			}
		}
	}
}
