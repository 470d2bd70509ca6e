// Package cmdtest runs whole programs in tests: arguments and standard input go in,
// output and exit code come out.
//
//	cmdtest.Run(t, &program, "", "ask", "--docs", docs, "Who?").Exits(0).Prints("Mina Quist")
//
//	program.go  Run, and what an Outcome can be checked for
//	worker.go   Up: workers that run beside the test
//	files.go    files and the shipped corpus
//	http.go     what workers serve, and a server that changes its mind
//	buffer.go   output that can be read while it is written
package cmdtest
