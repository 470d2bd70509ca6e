// Package rules finds out which questions each rule and word list of the built-in
// engine changes: it builds the program anew with a switch at each of them, and
// asks, for each, the questions that came by it once more with it switched off.
//
//	rules.go       Options; Run: build, ask, report
//	instrument.go  a switch at each function and at each use of a list
//	overlay.go     the program built with the switches
//	ask.go         what the built program does: ask, with each switch off
//	switches.go    the switches; hook.go, where they are: the program as shipped has none
//	table.go       the figures as a table
package rules
