// Package read finds in texts what answers a question, in the texts' own units:
// sentences, list items, rows, blocks of code (package blocks).
//
//	question.go  Question: what is asked, its content words and their weight
//	related.go   words that mean nearly what the question's do
//	respell.go   Respelled: a question's misspelt words as the texts have them
//	rarity.go    Rarity: how rare words are in texts at large
//	unit.go      Page: texts cut into units
//	observe.go   what is observed of a unit
//	link.go      which texts name which others, and what that has of the question
//	rank.go      Reader: which unit answers, by learned weights
//	form.go      Form: what the answer looks like
//	prose.go     an answer in the texts' own sentences, and what to quote
//	cover.go     how far a page covers its question
//
// What is learned comes from outside (package weights); this package says what is
// observed, and what the weights are multiplied with.
package read
