// Package evidence finds the words of passages that an answer rests on.
//
//	terms.go    the words of a question, and where passages have them
//	align.go    Align: the stretches of passages nearest to a question, at
//	            several scales (MGA-RAG's windows), each of whole sentences, list
//	            items, rows or blocks of code
//	locate.go   Locate: where a text stands in a passage, white space and case
//	            aside
//	quote.go    Quote: a stretch of a passage as messages.Evidence
//	support.go  Support: which stretches support an answer
//
// The aligner asks Align before anything is answered; the generator asks
// Support when there is an answer. Neither asks a model: what is quoted is
// looked up, never written.
package evidence
