// Package dataset reads question-answering data: our own JSON lines, and the
// original files of HotpotQA, 2WikiMultihopQA, MuSiQue and BEIR.
//
//	Set ── Questions, each with its gold
//	    └─ Documents, read when they are wanted
//
//	dataset.go             Question, Entity, Step: what is known of a question
//	set.go                 opening a path, whatever it holds; the corpus as a file
//	own.go, beir.go        folders of questions and passages
//	folder.go              what they are asked over: a file, or a folder of documents
//	contexts.go            files whose questions come with their passages:
//	hotpot.go, musique.go  … of HotpotQA and 2WikiMultihopQA, and of MuSiQue
//	fields.go              Record: several facts that belong together
//	withhold.go            a set without its gold passages
//	misspell.go            a set whose questions are misspelt
//	records.go, loose.go   JSON and JSON lines, with the place of an error;
//	                       values written in several ways
package dataset

import (
	"strings"

	"hopstream/messages"
)

// Question is a question with its gold. Only ID and Question are always there.
type Question struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Answers  []string `json:"answers"`            // any one of them is right, unless Entities or List says otherwise
	Entities []Entity `json:"entities,omitempty"` // what a compound question asks for: each of them is wanted
	// Records are what a question of several intents asks for: each is wanted, with
	// all its fields. They are read and not written.
	Records []Record `json:"-"`
	// Unanswerable is set where the documents do not answer the question: then
	// there is no gold, and the right answer is to say so.
	Unanswerable bool `json:"unanswerable,omitempty"`
	// List is set where each of Answers is wanted, not any one of them.
	List bool   `json:"list,omitempty"`
	Type string `json:"type,omitempty"` // as the data set names it
	// Class is the gold class, or empty; then the caller may set one for the
	// whole data set.
	Class      messages.Class `json:"class,omitempty"`
	Supporting []string       `json:"supporting,omitempty"` // IDs of the gold passages
	// Decomposition are the gold sub-questions in order. One names the answer
	// of an earlier one as #1, #2, …
	Decomposition []Step `json:"decomposition,omitempty"`
}

// Entity is one of several answers wanted, in any of its names.
type Entity []string

// Step is a gold sub-question.
type Step struct {
	Question string `json:"question"`
	Answer   string `json:"answer,omitempty"`
	Support  string `json:"support,omitempty"` // ID of the passage that answers it
}

// Relation takes apart a sub-question that is a fact in the notation of
// knowledge bases, as MuSiQue and 2WikiMultihopQA have them: "Lumen Bridge >>
// designer". ok is false for any other text.
func Relation(text string) (subject, relation string, ok bool) {
	subject, relation, ok = strings.Cut(text, ">>")
	subject, relation = strings.TrimSpace(subject), strings.TrimSpace(relation)
	return subject, relation, ok && subject != "" && relation != ""
}

// Document is a passage of a data set's corpus.
type Document struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	Text  string `json:"text"`
}
