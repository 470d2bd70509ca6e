// Package teacher asks a model to write and to label what another one is trained
// and measured with: simple questions about a thing, compound ones made of them,
// and whether a passage helps to answer a question (HANRAG 4.2 and B.1).
//
//	Teacher ─▶ Journal: was it asked before? ─▶ model
//
//	teacher.go   Teacher: one model, asked patiently, and each thing once
//	question.go  the questions it is asked, and what a reply has to fulfil
//	journal.go   Journal: replies in a file, so that a run can go on
//
// A reply that does not fulfil what was asked for is shown to the model once, with
// what is wrong; if the next one does not either, there is none.
package teacher
