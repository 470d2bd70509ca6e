package dataset

import (
	"hash/fnv"
	"math/rand/v2"

	"hopstream/index/lang"
)

// minMisspelt is how many letters a word has that Misspell spoils.
const minMisspelt = 5

// Misspell spoils a word of every question with a slip of the pen: a letter is left
// out, doubled, replaced, or changes places with the next one. Which word and which
// slip follow from the question's ID. Questions without a long enough word stay.
func (s *Set) Misspell() {
	for i := range s.Questions {
		q := &s.Questions[i]
		h := fnv.New64a()
		h.Write([]byte(q.ID))
		q.Question = misspelt(q.Question, rand.New(rand.NewPCG(h.Sum64(), 0)))
	}
}

func misspelt(question string, r *rand.Rand) string {
	var long []lang.Token
	for _, t := range lang.Tokens(question) {
		if !t.Stop && !t.Num && len(t.Norm) >= minMisspelt && len(t.Norm) == len(t.Text) {
			long = append(long, t)
		}
	}
	if len(long) == 0 {
		return question
	}
	w := long[r.IntN(len(long))]
	at := w.Start + 1 + r.IntN(len(w.Text)-2) // neither the first letter nor the last
	before, letter, behind := question[:at], question[at:at+1], question[at+1:]
	switch r.IntN(4) {
	case 0:
		return before + behind
	case 1:
		return before + letter + letter + behind
	case 2:
		return before + behind[:1] + letter + behind[1:]
	}
	const vowels = "aeiou"
	return before + vowels[r.IntN(len(vowels)):][:1] + behind
}
