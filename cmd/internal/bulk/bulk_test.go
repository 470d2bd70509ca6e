package bulk

import (
	"strings"
	"testing"

	"hopstream/messages"
)

// TestSummaryTellsApart holds that what the documents do not say is not counted
// as failed.
func TestSummaryTellsApart(t *testing.T) {
	t.Parallel()
	st := &streamer{skipped: 4, answered: map[messages.Status]int{messages.Answered: 7, messages.Unanswered: 2, messages.Failed: 1}}
	if got := st.summary(); got != "7 answered, 2 unanswered, 1 failed, 4 skipped" {
		t.Error(got)
	}
}

// TestPriority holds that the questions of a batch are bulk unless the batch or
// the line says otherwise.
func TestPriority(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ batch, want messages.Priority }{{"", messages.Bulk}, {messages.Normal, messages.Normal}} {
		lines := `{"question":"a?"}` + "\n" + `{"question":"b?","priority":"interactive"}`
		st := &streamer{o: Options{Priority: c.batch, Strict: true}, in: NewLines(strings.NewReader(lines))}
		for _, want := range []messages.Priority{c.want, messages.Interactive} {
			if q, ok := st.next(); !ok || q.Priority != want {
				t.Errorf("batch %q: %+v, want %s", c.batch, q, want)
			}
		}
	}
}
