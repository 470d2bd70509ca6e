package aggregator

import (
	"fmt"
	"testing"

	"hopstream/messages"
)

func sub(id string, branch, branches int) *messages.Subanswer {
	return &messages.Subanswer{Head: messages.Head{ID: id, Round: 1, Branch: branch, Branches: branches}}
}

func TestRecentJoinsWhatItHasSeen(t *testing.T) {
	t.Parallel()
	var r recent
	if r.add(sub("q", 1, 3)) != nil || r.add(sub("q", 3, 3)) != nil {
		t.Error("a round is whole too early")
	}
	if r.add(sub("q", 3, 3)) != nil {
		t.Error("a redelivery makes a round whole")
	}
	if got := r.add(sub("q", 2, 3)); len(got) != 3 {
		t.Errorf("%d of 3 branches", len(got))
	}
	if r.add(sub("q", 2, 3)) != nil {
		t.Error("a joined round is kept")
	}
}

func TestRecentIsBounded(t *testing.T) {
	t.Parallel()
	var r recent
	for i := range 3 * maxRecent {
		r.add(sub(fmt.Sprint("q", i), 1, 2))
		if len(r.rounds) > maxRecent || len(r.order) > maxRecent {
			t.Fatalf("%d rounds are kept", len(r.rounds))
		}
	}
	if r.add(sub("q0", 2, 2)) != nil {
		t.Error("the oldest round is still there")
	}
}
