package decomposer

import (
	"fmt"
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/messages/subquestion"
)

// maxBound is how much of an answer is put into another part's question, in
// bytes.
const maxBound = 200

// bind puts the answers of other parts where text names them; it reports
// false while one of them is missing, or where the question became too long.
func bind(text string, h *messages.Head) (string, bool) {
	ok := true
	query := strings.TrimSpace(subquestion.Replace(text, h.Question, func(n int) string {
		answer := ""
		if p := h.PartPair(n); p != nil && !p.Open() {
			answer = spoken(p.Answer)
		}
		ok = ok && answer != ""
		return answer
	}))
	return query, ok && query != "" && len(query) <= messages.MaxQuestion
}

// spoken returns an answer in the form in which it is put into a question: its
// first line, of bounded length, without the full stop at its end.
func spoken(answer string) string {
	words := strings.Fields(subquestion.FirstLine(answer, maxBound))
	if n := len(words); n > 0 && len(words[n-1]) > 4 { // "Jr." keeps its stop
		words[n-1] = strings.TrimRight(words[n-1], ".")
	}
	return strings.Join(words, " ")
}

// flaw says why a plan cannot be followed, or nothing.
func flaw(parts []string, question string) string {
	switch {
	case len(parts) == 0:
		return "the plan is empty"
	case len(parts) > messages.MaxParts:
		return fmt.Sprintf("the plan has %d sub-questions; at most %d are allowed", len(parts), messages.MaxParts)
	}
	needs := make([][]int, len(parts))
	for i, p := range parts {
		if len(p) > messages.MaxQuestion {
			return fmt.Sprintf("sub-question %d is too long", i+1)
		}
		needs[i] = subquestion.References(p, question)
		for _, n := range needs[i] {
			if n < 1 || n > len(parts) {
				return fmt.Sprintf("sub-question %d names $%d, and there is no sub-question %d", i+1, n, n)
			}
		}
	}
	done := make([]bool, len(parts))
	for range parts { // each pass can answer at least one, unless the rest need each other
		for i := range parts {
			done[i] = done[i] || !slices.ContainsFunc(needs[i], func(n int) bool { return !done[n-1] })
		}
	}
	if i := slices.Index(done, false); i >= 0 {
		return fmt.Sprintf("sub-question %d needs its own answer before it can be asked", i+1)
	}
	return ""
}
