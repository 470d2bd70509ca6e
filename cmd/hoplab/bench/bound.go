package bench

import "hopstream/messages"

// calls are what a way of answering costs in model calls, at most: so many for the
// question as a whole, for each round, and for each sub-query. Embeddings are no
// calls.
type calls struct{ once, round, query int }

// Of the papers' own numbers.
const (
	judged      = 10 // passages of a sub-query that are judged one by one (HANRAG)
	scales      = 3  // answers to a sub-question, one a scale (MGA-RAG)
	refinements = 27 // of a search by words: three operators, three levels deep (LevelRAG)
	rewrites    = 3  // pseudo-documents of a search by vectors (LevelRAG)
)

// published are the presets' ways, by their names.
func published() map[string]calls {
	return map[string]calls{
		// Ours: routed, planned, revised, planned anew once, answered; in every round
		// refined and judged where it goes on as complex; of every sub-query the
		// passages judged in one call, and an answer.
		"hopstream": {once: 1 + 3 + 1, round: 2, query: 2},
		// Routed, judged before the first round, answered; refined (a compound
		// question: decomposed) and judged in every round; every passage judged, and
		// an answer.
		"hanrag": {once: 1 + 1 + 1, round: 2, query: judged + 1},
		// Planned, revised, answered; an answer a scale, and their fusion.
		"mga-rag": {once: 1 + 1 + 1, query: scales + 1},
		// Decomposed, answered; verified and supplemented in every round; keywords,
		// a verification of the first search and of each refinement; verifications
		// and pseudo-documents of vectors; a summary.
		"levelrag": {once: 1 + 1, round: 2, query: 1 + 1 + 2*refinements + 2*rewrites + 1},
		// Answers made up, split into statements, the answer.
		"muisqa": {once: 1 + 1 + 1},
	}
}

// bound is how many calls the question of an answer may have cost in that way.
func (c calls) bound(a *messages.Answer) int {
	return c.once + c.round*a.Steps + c.query*len(a.Hops)
}
