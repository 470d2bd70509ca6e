package revelator

import "hopstream/messages"

// routers make ⟨question, class⟩, as many of each class as the rarest one
// allows, split by split. Gold sub-questions are single-step questions, too
// (HANRAG B.2), where they are written as questions.
func (m *material) routers(split Split) []Example {
	seen := map[string]bool{}
	byClass := map[messages.Class][]string{}
	add := func(text string, class messages.Class) {
		if key := textKey(text); class.Valid() && !seen[key] {
			seen[key] = true
			byClass[class] = append(byClass[class], text)
		}
	}
	for _, it := range m.items[split] { // whole questions first: their class is given
		add(it.q.Question, it.class)
	}
	for _, it := range m.items[split] {
		for _, h := range it.hops {
			if h.natural {
				add(h.question, messages.Single)
			}
		}
	}
	n := -1
	for _, class := range messages.Classes() {
		if have := len(byClass[class]); n < 0 || have < n {
			n = have
		}
	}
	var out []Example
	for _, class := range messages.Classes() {
		texts := byClass[class]
		shuffle(m.seed, texts, textKey) // sub-questions among the others
		for _, text := range texts[:n] {
			out = append(out, routerExample(text, class))
		}
	}
	return out
}
