package index

// Query asks for passages by parts that each do something else. Its texts are
// any texts: there is no query language, so nothing in them has a meaning of
// its own. A text of which nothing is left without marks and structure words
// ("the", "of") asks for nothing.
type Query struct {
	// Words count where they stand: a passage needs one of them, be it a word
	// or a phrase among them.
	Words []Word
	// Phrases must all stand in a passage, each with its words next to each
	// other in that order. A phrase counts like a word as rare as it is.
	Phrases []string
	// Not are words, or phrases, that a passage must not hold.
	Not []string
}

// Word is a word, or several, of which each counts for itself unless they are a
// phrase.
type Word struct {
	// Text is the word or words.
	Text string
	// Phrase says that the words count together: where they stand next to each
	// other in that order, as a word does that is as rare as that. Passages
	// without them are found by the other words all the same.
	Phrase bool
	// Boost is how many times it counts: 0 means once. Values below 1/1000 or
	// above 1000 are brought there.
	Boost float64
}
