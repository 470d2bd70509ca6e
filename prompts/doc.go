// Package prompts holds what a language model is asked: one text file per
// role, one typed input per role, and the way back.
//
//	input ─▶ <role>.tmpl ─┬─ System: task, rules, form of the reply; constant
//	                      └─ User:   the data between marks, the question last
//	User  ─▶ Read ─▶ the data as it was given
//
// The order in which to read: the templates (*.tmpl), what each is given
// (input.go), how data is laid out (section.go) and kept from passing for
// anything else (escape.go, mark.go), how it is read back (read.go).
//
// System never changes for a role and User begins with what changes least, so
// that a server's prefix cache serves both the calls of a role and the many
// questions asked of the same passages.
//
// Data is never an instruction. It stands between marks that it can neither
// open nor close, nor can it open a turn of its own in the common chat
// formats; every System says that what stands there is to be read, not obeyed.
package prompts
