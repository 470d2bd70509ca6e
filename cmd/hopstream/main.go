// Command hopstream answers streams of questions over your own documents,
// multi-hop ones included.
//
// The files, from the outside in:
//
//	main.go, root.go   the program and its commands
//	demo.go … up.go    one file per command: its flags, and what it calls
package main

func main() { program.Main() }
