package revelator

import "hopstream/messages"

// endings make ⟨question, pairs, enough⟩ of complex questions with gold chains: all
// pairs are enough, those of a proper prefix are not. With nothing found yet, it is
// not enough for a question that needs a look-up, and enough for a straightforward
// one, of which there are as many as complex ones; of single and compound ones
// there is a share of that.
func (m *material) endings(split Split) []Example {
	var out []Example
	chains := m.chains(split)
	for _, it := range chains {
		for i := range len(it.hops) + 1 {
			out = append(out, endingExample(it.q.Question, pairs(it.hops[:i]), i == len(it.hops)))
		}
	}
	some := int(selfShare*float64(len(chains)) + 0.5)
	for class, n := range map[messages.Class]int{messages.Straightforward: len(chains), messages.Single: some, messages.Compound: some} {
		for _, text := range m.ofClass(split, class, n) {
			out = append(out, endingExample(text, nil, class == messages.Straightforward))
		}
	}
	return out
}
