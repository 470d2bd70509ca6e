package chat

import (
	"fmt"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// TestJudgeWithoutPairs holds that the judge can be asked before anything was looked
// up, and is told so; but not where all was looked up in vain.
func TestJudgeWithoutPairs(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]bool{`{"enough":true}`: true, `{"enough":false}`: false} {
		e, s := scripted(Options{}, reply)
		enough, err := e.Enough(t.Context(), "What is the capital of France?", nil)
		if err != nil || enough != want || len(s.Asked()) != 1 || !strings.Contains(s.Asked()[0].Messages[1].Text, "Nothing has been looked up yet.") {
			t.Errorf("%s: %v, %v, %d calls", reply, enough, err, len(s.Asked()))
		}
	}
}

// TestSummariserReadsThirty holds that ten passages of each of three searchers are
// shown and can be cited; those of the lowest ranks are left out where they do not
// fit.
func TestSummariserReadsThirty(t *testing.T) {
	t.Parallel()
	thirty := make([]messages.Window, 30)
	for i := range thirty {
		thirty[i] = messages.Window{Passage: fmt.Sprint("p", i+1), Text: strings.Repeat("The Tarn is a river. ", 40)}
	}
	for size, all := range map[int]bool{16384: true, 4096: false} {
		s := &model.Scripted{Replies: []string{`{"quotes":[{"passage":30,"quote":"a river"}],"summary":"The Tarn is a river.","passages":[30,1]}`}}
		e := New(&roles.Set{}, allBy(model.New(s, model.Options{Name: "m", NumCtx: size})), Options{NoFallback: true})
		f, err := e.Summarise(t.Context(), "What is the Tarn?", thirty)
		if err != nil || f.Text == "" || len(s.Asked()) != 1 {
			t.Fatal(f, err)
		}
		user := s.Asked()[0].Messages[1].Text
		if n := strings.Count(user, "<passage "); (n == 30) != all || n < 5 || !strings.Contains(user, `number="1"`) {
			t.Errorf("%d tokens: %d passages are shown", size, n)
		}
		cited := len(f.Sources)
		if all && (cited != 2 || f.Sources[0].ID != "p30" || f.Evidence[0].ID != "p30") || !all && (cited != 1 || f.Evidence[0].ID != "") {
			t.Errorf("%d tokens: rests on %q", size, restsOn(f))
		}
	}
}

// TestFusionSeesThePassages holds that the passages decide between answers, that
// answers are not left out for them, and that nobody is asked where all agree.
func TestFusionSeesThePassages(t *testing.T) {
	t.Parallel()
	long := append(passages[:2:2], messages.Passage{ID: "long", Text: strings.Repeat("word ", 5000)})
	e, s := scripted(Options{}, `{"readers":[1],"answer":"Orla Venn"}`)
	if f, err := e.Fuse(t.Context(), "Who drew it?", answers, long); err != nil || f.Text != "Orla Venn" {
		t.Error(f, err)
	}
	user := s.Asked()[0].Messages[1].Text
	if strings.Count(user, "<passage ") != 2 || !strings.Contains(user, passages[1].Text) || strings.Count(user, "<answer ") != 2 || strings.Index(user, "<answers>") < strings.Index(user, "</passages>") {
		t.Errorf("is shown\n%s", user)
	}
	e, s = scripted(Options{}, `{"readers":[3],"answer":"1951"}`)
	if f, err := e.Fuse(t.Context(), "When?", []messages.Finding{{Text: "1951", Sources: []messages.Source{{ID: "a"}}}, {}, {Text: "1949"}, {Text: "1951.", Sources: []messages.Source{{ID: "b"}}}}, passages); err != nil || restsOn(f) != "a b" {
		t.Error(f, err)
	}
	if user := s.Asked()[0].Messages[1].Text; strings.Count(user, "1951") != 2 { // two readers of three
		t.Errorf("is shown\n%s", user)
	}
	e, s = scripted(Options{}, "no")
	same := []messages.Finding{{Text: "Tarn"}, {Text: "the tarn"}, {Text: "Tarn."}}
	if f, err := e.Fuse(t.Context(), "Where?", []messages.Finding{same[0], {}, same[2]}, passages); err != nil || f.Text != "Tarn" || len(s.Asked()) != 0 {
		t.Error(f, err, len(s.Asked()))
	}
}

// TestStatementsHaveRoom holds that a reply of as many statements as are searched for
// is not cut off.
func TestStatementsHaveRoom(t *testing.T) {
	t.Parallel()
	statement := `"` + strings.Repeat("Tarn ", 15) + `is %d."`
	all := make([]string, messages.MaxQueries)
	for i := range all {
		all[i] = fmt.Sprintf(statement, i)
	}
	reply := `{"statements":[` + strings.Join(all, ",") + `]}`
	s := &model.Scripted{Replies: []string{reply}}
	e := New(&roles.Set{}, allBy(model.New(s, model.Options{Name: "m", NumCtx: 8192})), Options{NoFallback: true})
	got, err := e.Statements(t.Context(), "q", []string{"a"})
	if need := model.Estimate([]model.Message{{Text: reply}}); err != nil || len(got) != messages.MaxQueries || s.Asked()[0].MaxTokens < need {
		t.Errorf("%d statements, %v, of %d tokens where %d may be needed", len(got), err, s.Asked()[0].MaxTokens, need)
	}
}
