package bulk

import (
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
