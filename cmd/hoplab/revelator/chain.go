package revelator

import (
	"strconv"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/prompts"
)

// hop is a gold sub-question as it would be asked when its turn comes.
type hop struct {
	question, answer, support string
	natural                   bool // a question as written, not a fact's notation
}

// chain returns the gold sub-questions of q with the answers of earlier ones
// put in their places. ok is false where an answer is missing, or a
// sub-question names one that is not found yet: then nobody could ask it.
func chain(q *dataset.Question) (hops []hop, ok bool) {
	for i, step := range q.Decomposition {
		answer := strings.TrimSpace(step.Answer)
		if answer == "" {
			return nil, false
		}
		text, ok := bind(step.Question, hops)
		if !ok {
			return nil, false
		}
		h := hop{text, answer, step.Support, true}
		if subject, relation, ok := dataset.Relation(text); ok {
			h.question, h.natural = verbalise(subject, relation), false
		}
		if !usable(h.question) || i >= maxHops {
			return nil, false
		}
		hops = append(hops, h)
	}
	return hops, len(hops) > 0
}

// maxHops bounds a chain: more steps than any published set has.
const maxHops = 32

// bind puts the answer of hop k in the place of #k. A number that no step
// has is left as it stands ("a #1 hit" in a first step).
func bind(text string, before []hop) (bound string, ok bool) {
	ok = true
	bound = reference.ReplaceAllStringFunc(text, func(ref string) string {
		k, err := strconv.Atoi(ref[1:])
		switch {
		case err != nil || k < 1 || len(before) == 0:
			return ref
		case k > len(before):
			ok = false
			return ref
		}
		return before[k-1].answer
	})
	return strings.TrimSpace(bound), ok
}

// pairs are hops as findings of a prompt.
func pairs(hops []hop) []prompts.Pair {
	out := make([]prompts.Pair, len(hops))
	for i, h := range hops {
		out[i] = prompts.Pair{Question: h.question, Answer: h.answer}
	}
	return out
}
