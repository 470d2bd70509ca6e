package revelator

import "hopstream/messages"

// refiners make ⟨question, pairs so far, next question⟩ of complex questions
// with gold chains: an example per step, and one with nothing left to ask,
// which the prompt has a reply for. Single-step questions map to themselves:
// one that the router took for complex is asked as it is (HANRAG B.4).
func (m *material) refiners(split Split) []Example {
	var out []Example
	for _, it := range m.chains(split) {
		for i, h := range it.hops {
			out = append(out, refinerExample(it.q.Question, pairs(it.hops[:i]), h.question))
		}
		out = append(out, refinerExample(it.q.Question, pairs(it.hops), ""))
	}
	for _, text := range m.themselves(split, len(out)) {
		out = append(out, refinerExample(text, nil, text))
	}
	return out
}

// chains are the complex questions with two answered steps at least.
func (m *material) chains(split Split) []item {
	var out []item
	for _, it := range m.items[split] {
		if it.class == messages.Complex && len(it.hops) > 1 {
			out = append(out, it)
		}
	}
	return out
}
