// Package bleve stores passages in a Bleve index, on disk or in memory, and
// finds them by their words. Of Bleve it uses the postings, the analysis and
// the storage; the scores are BM25's as published.
//
//	options.go   Options: how documents are cut, how words count
//	store.go     Open, Store: opening, resetting, closing
//	apply.go     Apply: documents in, all of a batch or nothing
//	state.go     what is stored beside the passages: totals, position, format
//	search.go    Search: a text in, the nearest passages out
//	query.go     Find: words, phrases and words that must be missing
//	look.go      one search: terms, then phrases, then what is excluded
//	spell.go     what a word that no passage has may be misspelt from
//	phrase.go    which passages hold words next to each other
//	postings.go  which passages hold a word, scored, and the cache of that
//	best.go      the best k of all that was scored
package bleve
