// Package lang is what is known of the English language without a model: it
// cuts text into tokens and sentences, finds names, dates and quantities, and
// says what kind of answer a question asks for. It holds word lists and rules,
// no model, and every function takes time linear in its input and never
// panics, whatever the text.
//
// Read in this order:
//
//	token.go     Tokens: words with their normal form, stem and separators
//	scan.go      Scanner: tokens one at a time, without building their strings
//	             (bytes.go, where they end; wanted.go, which of them to look at)
//	fold.go      lower case without diacritics
//	stem.go      Stem: Porter's algorithm, and why no library's
//	stop.go      IsStop: words that carry structure instead of content
//	known.go     the built-in word list with ready stems: the words of stop.go,
//	             irregular forms, everyday words
//	spell.go     Misspelt: a slip of the pen in a word; Meant: what a question means by one
//	dictionary.go  IsWord: the words of English texts, as a Bloom filter; IsCommon:
//	             those that text uses most
//	related.go   Related: words that mean nearly the same, from WordNet
//	sentence.go  Sentences, aware of abbreviations and initials
//	value.go     Dates, Numbers: years, dates, quantities, with comparable values
//	entity.go    Entities: capitalised names and quoted titles
//	units.go     months, ordinals and units, with their sizes
//	lexicon.go   ClassOf: small closed lists (countries, occupations, …)
//	question.go  Focus: what a question asks for
//	foreign.go   Foreign: whether a question is in another language
//	head.go      the noun a question word belongs to
//	options.go   what an either-or question offers
//	nouns.go     which nouns ask for which type
//	q_noun.go    nouns that name by a relation: father, capital
//	q_verb.go    which forms of a verb a word can be
//	words.go     the closed lists themselves: works, occupations, countries, …
package lang
