// Package roles is the table of the roles of an engine: the kinds of question
// that the stages, the searchers and the evaluation ask, with a model or
// without one.
//
//	stage, searcher ─▶ Set ─┬─▶ builtin   needs no model
//	                        └─▶ chat ─▶ model ─▶ server, for the roles that have one
//
// The files, in reading order:
//
//	table.go  the roles: names, Engine, Set, and a row for each role
//	row.go    Row: how functions go from an engine to a Set, alone or with
//	          another engine behind it
//	asked.go  who asks a role, and under which settings
//	shown.go  Shown: what a prompt shows, and the question it asks about it
//
// All else that differs by role is derived from the rows: which models a
// configuration needs, which names it may hold, which engine answers what, what
// a simulated model replies, the list in the README of stages/engine. A new role is a part of
// table.go, a prompt, a file in package chat and a method of package builtin.
package roles
