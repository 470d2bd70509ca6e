package runner

import (
	"time"

	"hopstream/messages"
	"hopstream/stages/meter"
)

// A question's time is divided, not a stage's: no constant is right for a model
// that takes a second a call and for one that takes a minute. A quarter of the
// time is the final answer's. Of what is left before that, each delivery may take
// half, so that there is always something left for those that follow; what one
// does not need is the next one's.
const stepShare = 2 // a delivery may take one of so many parts of what is left before

// settling is what is kept back at the end of a question's time for storing its
// answer: a fiftieth, at most a second.
func settling(whole time.Duration) time.Duration { return min(time.Second, whole/50) }

// share returns by when the work on in should end, and how urgent it is.
func share(in messages.Carrier, now time.Time) (until time.Time, u meter.Urgency) {
	h := in.Meta()
	whole := h.Deadline.Sub(h.Asked)
	end := h.Deadline.Add(-settling(whole))
	u = meter.Urgency{Priority: h.Priority, Remaining: remaining(in), Deadline: h.Deadline}
	if u.Remaining <= 1 { // nothing follows
		return end, u
	}
	return now.Add(max(0, meter.FinalFrom(h).Sub(now)/stepShare)), u
}

// remaining is about how many calls a question has yet to make one after the
// other, from this message on: those of its round, a judge, and the final answer.
// A round more, which a judge may ask for, is not foreseen.
func remaining(in messages.Carrier) int {
	h := in.Meta()
	after := 0 // the branch
	switch {
	case h.Class == messages.Compound:
		after = 1 // the final answer
	case h.Class == messages.Complex:
		after = 2 // a judge before it
	}
	switch m := in.(type) {
	case *messages.Generate:
		if m.Branch == 0 {
			return 1
		}
		return 1 + after
	case *messages.Judge:
		return 2
	case *messages.Align:
		return 2 + after
	case *messages.Filter:
		return 3 + after
	case *messages.Retrieve:
		return 4 + after
	case *messages.Decompose:
		return 5 + after
	}
	return 8 // not routed yet
}
