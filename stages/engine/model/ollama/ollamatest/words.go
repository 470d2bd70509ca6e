package ollamatest

import "strings"

// common are words that prompts are made of. Each of their beginnings is a
// token, so that a prompt has a third of the tokens that it has characters:
// what is asked of the tiny model is mostly to read.
const common = `a about after all also an and any are as asked asks at be because been before between but by can
city comes country date did do does document documents each else empty enough every example facts find first for form found
from give given had has have he her his how if in instructions into is it its knowing known like list look lookup made make
material means more most museum name named need needed needs not nothing number numbers object of on one only or other
others out over own part passage passages person phrase place question questions read relevant reply rules said same say
several she short should so some something such take than that the their them then there these they thing things this three
through to two under up use used was way well were what when where whether which while who whose why will with words would
write year years yes you your born known author wrote film river capital language population university discovered prize`

// pieces returns the beginnings of the common words, of two characters and
// more counting the space before them, each once, the shorter ones first: the
// order in which a tokenizer puts a word together.
func pieces() []string {
	var out []string
	seen := map[string]bool{}
	for n := 1; ; n++ {
		longer := false
		for word := range strings.FieldsSeq(common) {
			if len(word) < n {
				continue
			}
			longer = true
			if piece := "▁" + word[:n]; !seen[piece] {
				seen[piece] = true
				out = append(out, piece)
			}
		}
		if !longer {
			return out
		}
	}
}
