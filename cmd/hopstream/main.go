// Command hopstream answers streams of questions over your own documents,
// multi-hop ones included.
//
// The files, from the outside in:
//
//	main.go, root.go   the program and its commands
//	demo.go … up.go    one file per command: its flags, and what it calls
//	former.go          commands that are hoplab's now
//
// What the commands call is in cmd/internal: cli is what a command line needs,
// config the configuration, session what a command works through, node the
// workers of a process.
package main

func main() { program.Main() }
