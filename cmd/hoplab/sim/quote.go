package sim

import (
	"strconv"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/prompts"
)

// maxQuotes is how many quotes a reply has at most, as the prompts ask.
const maxQuotes = 3

// quoted are the words of the passages shown that a finding rests on: those
// that the engine names, or else the line of each of its sources that has the
// most to do with answer and question.
func quoted(text string, sources []messages.Source, evidence []messages.Evidence, d *prompts.Data) (out []said) {
	for _, e := range evidence {
		if n, err := strconv.Atoi(e.ID); err == nil && e.Quote != "" && len(out) < maxQuotes {
			out = append(out, quote(n, e.Quote))
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, n := range numbers(text, sources) {
		if n > len(d.Passages) || len(out) == maxQuotes {
			continue
		}
		if line := telling(d.Passages[n-1].Text, text, d.Question); line != "" {
			out = append(out, quote(n, line))
		}
	}
	return out
}

// quote is a quote as a model copies it, which sees the passage in a prompt.
func quote(passage int, words string) said {
	return said{numbers: []int{passage}, text: prompts.Quote(words)}
}

// telling is the line of a sentence of a passage that shares the most words with
// the answer, and then with the question; nothing where none shares any.
func telling(passage, answer, question string) (best string) {
	wanted := wordsOf(question)
	for w := range wordsOf(answer) {
		wanted[w] = 4
	}
	most := 0
	for _, s := range lang.Sentences(passage) {
		for line := range strings.Lines(s.Text) {
			score := 0
			for w := range wordsOf(line) {
				score += wanted[w]
			}
			if score > most {
				best, most = strings.TrimSpace(line), score
			}
		}
	}
	return best
}
