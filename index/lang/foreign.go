package lang

import "unicode/utf8"

// foreign is the share of everyday English words below which a question is in
// another language. Of ten thousand English questions of public sets one in a
// thousand has fewer.
const foreign = 0.4

// Foreign reports whether a question is in another language: too few of its words,
// names and numbers aside, are everyday words of English. What it asks for is not
// known then, only what it is about.
func Foreign(question string) bool {
	words, english := 0, 0
	toks := Tokens(question)
	for i := range toks {
		t := &toks[i]
		if t.Num || t.Cap && i > 0 {
			continue
		}
		words++
		if t.Norm[0] < utf8.RuneSelf && (t.Stop || IsCommon(t.Stem)) {
			english++
		}
	}
	return words > 0 && float64(english) < foreign*float64(words)
}
