package revelator

import (
	"strings"

	"hopstream/messages"
)

// maxParts is the longest list that the decomposer is asked for.
const maxParts = 8

// decomposers make ⟨question, parts⟩ of compound questions with their gold
// parts, and of single-step questions, which stay whole.
func (m *material) decomposers(split Split) []Example {
	var out []Example
	for _, it := range m.items[split] {
		if it.class != messages.Compound {
			continue
		}
		if parts := partsOf(it); len(parts) > 1 {
			out = append(out, decomposerExample(it.q.Question, parts))
		}
	}
	for _, text := range m.themselves(split, len(out)) {
		out = append(out, decomposerExample(text, []string{text}))
	}
	return out
}

// partsOf returns the gold parts; none where one needs another's answer.
func partsOf(it item) []string {
	if len(it.q.Decomposition) > maxParts {
		return nil
	}
	var parts []string
	for _, step := range it.q.Decomposition {
		text := strings.TrimSpace(step.Question)
		if reference.MatchString(text) || !usable(text) {
			return nil
		}
		parts = append(parts, text)
	}
	return parts
}

// selfShare is how many questions that map to themselves there are for each
// other example: enough to teach that they do, too few to become the habit.
const selfShare = 0.25

// themselves returns single-step questions for selfShare of n examples.
func (m *material) themselves(split Split, n int) []string {
	return m.ofClass(split, messages.Single, int(selfShare*float64(n)+0.5))
}

// ofClass returns at most n different questions of a class.
func (m *material) ofClass(split Split, class messages.Class, n int) []string {
	var out []string
	seen := map[string]bool{}
	for _, it := range m.items[split] {
		if len(out) >= n {
			break
		}
		if key := textKey(it.q.Question); it.class == class && !seen[key] {
			seen[key] = true
			out = append(out, it.q.Question)
		}
	}
	return out
}
