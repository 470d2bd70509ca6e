package runner

import (
	"fmt"
	"testing"

	"hopstream/messages"
)

func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	m := newHistory()
	for i := range 3 * maxRemembered {
		m.change(fmt.Sprint("q", i), func(v *attempts) { v.used = v.used.Add(messages.Usage{ModelCalls: 1}) })
		m.change("kept", func(v *attempts) { v.discounted = i })
	}
	if n := m.seen.Len(); n != maxRemembered {
		t.Errorf("%d messages are remembered", n)
	}
	if m.get("kept").discounted != 3*maxRemembered-1 || m.get("q0").used.ModelCalls != 0 {
		t.Error("the wrong one was forgotten")
	}
	m.forget("kept")
	if m.get("kept").discounted != 0 {
		t.Error("what is settled is remembered")
	}
}
