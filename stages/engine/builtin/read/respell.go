package read

import (
	"strings"

	"hopstream/index/lang"
)

// Respelled returns the question with each word that none of the texts has, and
// that may be misspelt, replaced by the texts' word that is one slip of the pen away
// from it, the most frequent one. Where there is none, the word stays.
func Respelled(question string, texts []Text) string {
	missing := missingWords(question, texts)
	if len(missing) == 0 {
		return question
	}
	near := make([]map[string]int, len(missing)) // by missing word: how often each stands there
	var toks []lang.Token
	for i := range texts {
		toks = lang.AppendTokens(lang.AppendTokens(toks[:0], texts[i].Title), texts[i].Text)
		for k := range toks {
			for m := range missing {
				switch w := &missing[m]; {
				case w.Text == "": // found
				case w.Hash == toks[k].Hash:
					w.Text = ""
				case !toks[k].Stop && lang.Misspelt(w.Norm, toks[k].Norm):
					if near[m] == nil {
						near[m] = map[string]int{}
					}
					near[m][toks[k].Text]++
				}
			}
		}
	}
	for m := len(missing) - 1; m >= 0; m-- { // from the end, so that places stay
		if w := &missing[m]; w.Text != "" {
			if right := mostFrequent(near[m]); right != "" {
				question = question[:w.Start] + right + question[w.End:]
			}
		}
	}
	return question
}

// missingWords returns the question's words that may be misspelt and that no text
// has as the question writes them, at most maxTerms.
func missingWords(question string, texts []Text) []lang.Token {
	var out []lang.Token
	toks := lang.Tokens(question)
next:
	for i := range toks {
		t := &toks[i]
		if t.Stop || t.Num || len(out) == maxTerms || !lang.Spellable(t.Norm) {
			continue
		}
		for k := range texts {
			if strings.Contains(texts[k].Title, t.Text) || strings.Contains(texts[k].Text, t.Text) {
				continue next
			}
		}
		out = append(out, *t)
	}
	return out
}

// mostFrequent returns the key with the highest value, and of several the first in
// the order of the alphabet; "" where there is none.
func mostFrequent(count map[string]int) (best string) {
	for s, n := range count {
		if n > count[best] || n == count[best] && s < best {
			best = s
		}
	}
	return best
}
