package builtin

// What is measured about a passage.
const (
	relAll          = iota // share of the query's weight anywhere in it
	relBest                // share in its best sentence, title included
	relBestSquare          // its square, so that one sentence with all words can count more than two with half each
	relNames               // share of the query's names anywhere in it
	relTitleNames          // share of the query's names in its title
	relNamed               // share of its title that the query names
	relWhole               // 1 where the query has the whole title
	relBare                // 1 where it holds no word of the query
	relTyped               // 1 where its best sentence has what may be an answer
	relListed              // 1 where its title is an answer of the class asked for
	relRank                // 1/(1+rank)
	relScore               // the searcher's score, scaled to 0 to 1
	relNew                 // share found in it and in no passage already chosen
	relLinked              // 1 where one already chosen names it
	relLinkedPlace         // the same, where a place is asked for
	relLinkedPerson        // the same, where a person is
	relFeatures
)

// features measures a passage that may be chosen next.
func (c *choice) features(at int) [relFeatures]float32 {
	r := &c.read[at]
	f := r.alone
	f[relNew] = c.q.share(r.all &^ c.found)
	if r.linked {
		f[relLinked] = 1
		f[relLinkedPlace] = indicator(c.q.group == groupPlace || c.q.group == groupCountry)
		f[relLinkedPerson] = indicator(c.q.group == groupPerson)
	}
	return f
}

// measure returns what does not depend on the passages chosen before.
func (r *reading) measure(q *query) (f [relFeatures]float32) {
	f[relAll] = q.share(r.all)
	f[relBest] = q.share(r.best | r.title)
	f[relBestSquare] = f[relBest] * f[relBest]
	if w := q.weigh(q.names); w > 0 { // no word of it may be in any passage
		f[relNames] = q.weigh(q.names&r.all) / w
		f[relTitleNames] = q.weigh(q.names&r.title) / w
	}
	if r.titleN > 0 {
		f[relNamed] = float32(r.shared) / float32(r.titleN)
	}
	f[relWhole] = indicator(r.whole())
	f[relBare] = indicator(r.all == 0)
	f[relTyped] = indicator(r.typed)
	f[relListed] = indicator(r.listed)
	f[relRank] = 1 / (1 + float32(r.rank))
	f[relScore] = r.score
	return f
}

func indicator(yes bool) float32 {
	if yes {
		return 1
	}
	return 0
}
