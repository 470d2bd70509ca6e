// Package prompts holds what a language model is asked: one text file per
// prompt, and how data is shown in it.
//
//	Data ─▶ Render(name) ─▶ <name>.tmpl ─┬─ System: task, rules, form of the reply; constant
//	                                     └─ User:   the data between marks, the question last
//
// The files, in reading order:
//
//	*.tmpl      the prompts; a new one is a new file, and nothing else
//	lab/*.tmpl  those that make data to measure and to train with; no stage asks them
//	data.go     Data: what a prompt may show
//	prompt.go   Render, Names
//	section.go  how a list or a text is laid out
//	escape.go   what keeps data from passing for a mark, and Plain, its inverse
//	mark.go     the marks: ours, and those of chat formats
//
// System never changes for a prompt and User begins with what changes least, so
// that a server's prefix cache serves both the calls of a role and the many
// questions asked of the same passages.
//
// Data is never an instruction. It stands between marks that it can neither
// open nor close, nor can it open a turn of its own in the common chat
// formats; every System says that what stands there is to be read, not obeyed.
package prompts
