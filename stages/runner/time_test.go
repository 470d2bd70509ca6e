package runner

import (
	"testing"
	"time"

	"hopstream/messages"
)

// TestShare holds how much of a question's time a message may take: half of what
// is left before the last quarter, all but a moment where nothing follows, and
// nothing when it comes too late for that.
func TestShare(t *testing.T) {
	t.Parallel()
	asked := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return asked.Add(time.Duration(seconds) * time.Second) }
	head := func(c messages.Class, round, branch int) messages.Head {
		return messages.Head{Class: c, Round: round, Branch: branch, Branches: branch, Asked: asked, Deadline: at(300), Priority: messages.Bulk}
	}
	for name, c := range map[string]struct {
		in        messages.Carrier
		now       time.Time
		until     time.Time
		remaining int
	}{
		"a decomposition at once": {&messages.Decompose{Head: head(messages.Complex, 1, 0)}, at(1), at(113), 7},
		"a search in between":     {&messages.Retrieve{Head: head(messages.Compound, 1, 2)}, at(125), at(175), 5},
		"a branch, complex":       {&messages.Generate{Head: head(messages.Complex, 1, 2)}, at(205), at(215), 3},
		"a branch, too late":      {&messages.Generate{Head: head(messages.Complex, 1, 2)}, at(250), at(250), 3},
		"delivered again, late":   {&messages.Filter{Head: head(messages.Single, 1, 1)}, at(298), at(298), 3},
		"the only branch":         {&messages.Generate{Head: head(messages.Single, 1, 1)}, at(250), at(299), 1},
		"a final answer":          {&messages.Generate{Head: head(messages.Complex, 3, 0)}, at(230), at(299), 1},
		"a judge":                 {&messages.Judge{Head: head(messages.Complex, 3, 0)}, at(25), at(125), 2},
	} {
		until, u := share(c.in, c.now)
		if got := until.Truncate(time.Second); !got.Equal(c.until) || u.Remaining != c.remaining || u.Priority != messages.Bulk || !u.Deadline.Equal(at(300)) {
			t.Errorf("%s: until %v with %+v, want %v and %d left", name, got.Sub(asked), u, c.until.Sub(asked), c.remaining)
		}
	}
}

// TestShareOfAShortQuestion holds that of a short time only a part is kept back
// for storing the answer.
func TestShareOfAShortQuestion(t *testing.T) {
	t.Parallel()
	asked := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	m := &messages.Generate{Head: messages.Head{Asked: asked, Deadline: asked.Add(time.Second)}}
	if until, _ := share(m, asked); until.Sub(asked) != 980*time.Millisecond {
		t.Errorf("until %v", until.Sub(asked))
	}
}

// TestSoon holds that no delay before another attempt outlasts a question.
func TestSoon(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := &worker{opts: &Options{Now: func() time.Time { return now }}}
	for _, c := range []struct{ left, delay, want time.Duration }{
		{time.Minute, time.Second, time.Second},
		{20 * time.Second, 15 * time.Second, 5 * time.Second},
		{-time.Second, 15 * time.Second, leastAway},
	} {
		if got := s.soon(&job{deadline: now.Add(c.left)}, c.delay); got != c.want {
			t.Errorf("with %v left a delay of %v is %v", c.left, c.delay, got)
		}
	}
	if got := s.soon(&job{}, time.Second); got != time.Second {
		t.Errorf("a message that cannot be read: %v", got)
	}
}
