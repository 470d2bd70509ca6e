package meter

import (
	"time"

	"hopstream/messages"
)

// finalShare is how many parts a question's time has of which the last is its
// final answer's.
const finalShare = 4

// FinalFrom returns when the part of a question's time begins that is kept for
// its final answer: the last quarter.
func FinalFrom(h *messages.Head) time.Time {
	return h.Deadline.Add(-h.Deadline.Sub(h.Asked) / finalShare)
}

// RoundLeft reports whether a question that has finished h.Round rounds has time
// for another one before its final answer: at least half of what its rounds took
// on average, waiting included. A head without a deadline has.
func RoundLeft(h *messages.Head, now time.Time) bool {
	if h.Deadline.IsZero() {
		return true
	}
	usual := now.Sub(h.Asked) / time.Duration(max(1, h.Round))
	return FinalFrom(h).Sub(now) >= usual/2
}

// NoRound is the reason of an answer whose rounds ended because RoundLeft says no.
const NoRound = "no time left for another round"
