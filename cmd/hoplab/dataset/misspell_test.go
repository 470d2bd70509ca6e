package dataset

import (
	"fmt"
	"testing"

	"hopstream/index/lang"
)

// TestMisspell holds that one word of a question gets one slip, the same every time.
func TestMisspell(t *testing.T) {
	t.Parallel()
	const question = "Who was the director of the ferry company in 1984?"
	var all []string
	for i := range 40 {
		all = append(all, fmt.Sprintf(`{"id":"%d","question":%q}`, i, question))
	}
	all = append(all, `{"id":"short","question":"Who was it?"}`)
	s, again := ownSet(t, all...), ownSet(t, all...)
	s.Misspell()
	again.Misspell()
	spoilt := map[string]bool{}
	right := lang.Tokens(question)
	for i, q := range s.Questions {
		if q.Question != again.Questions[i].Question {
			t.Errorf("%q, then %q", q.Question, again.Questions[i].Question)
		}
		if q.ID == "short" {
			if q.Question != "Who was it?" {
				t.Errorf("%q has a word that is long enough", q.Question)
			}
			continue
		}
		for k, w := range lang.Tokens(q.Question) {
			if w.Norm == right[k].Norm {
				continue
			}
			if spoilt[right[k].Norm] = true; !lang.Misspelt(w.Norm, right[k].Norm) {
				t.Errorf("%q: more than a slip", q.Question)
			}
		}
	}
	for _, w := range []string{"director", "ferry", "company"} {
		if !spoilt[w] {
			t.Errorf("%s is right in all of %d questions", w, len(s.Questions))
		}
	}
}
