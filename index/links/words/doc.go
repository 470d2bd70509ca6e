// Package words cuts English text into what links between passages are made
// of: words with normal form and stem, sentences, and names. It holds word
// lists and rules, no model; every function takes time linear in its input
// and accepts any text.
//
//	token.go     Tokens: words with their normal form, stem and separators
//	bytes.go     what a byte begins
//	fold.go      lower case without diacritics
//	stem.go      Porter's algorithm, and the irregular forms
//	stop.go      words that carry structure instead of content
//	sentence.go  where sentences end, aware of abbreviations and initials
//	names.go     Names: capitalised names and quoted titles
package words
