// Command hopstream answers streams of questions over your own documents,
// multi-hop ones included.
//
// The files, from the outside in:
//
//	main.go, root.go                       the program and its commands
//	demo.go, ask.go, stream.go             questions
//	index.go, up.go, setup.go              documents, workers as a service, what they need on a server
//	docs.go, search.go                     what is indexed, and what is found in it
//	status.go, ls.go, trace.go, cancel.go, dead.go
//	                                       what the log holds
//	drain.go                               workers that finish and end
//	archive.go                             answers written to files
//	nats.go                                users of the NATS server
//	config.go, version.go                  the configuration, the build
//	former.go                              commands that are hoplab's now
//
// A command's file has its flags, and what it calls.
//
// What the commands call is in cmd/internal: cli is what a command line needs,
// config the configuration, session what a command works through, library what
// is indexed, node the workers of a process.
package main

func main() { program.Main() }
