package revelator

// endings make ⟨question, pairs, enough⟩ of complex questions with gold
// chains: all pairs are enough, those of a proper prefix are not. With no
// pair at all the engine does not ask.
func (m *material) endings(split Split) []Example {
	var out []Example
	for _, it := range m.chains(split) {
		for i := 1; i <= len(it.hops); i++ {
			out = append(out, endingExample(it.q.Question, pairs(it.hops[:i]), i == len(it.hops)))
		}
	}
	return out
}
