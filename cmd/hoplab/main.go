// Command hoplab measures hopstream: its answers on data sets, its throughput,
// its use of a model; and it makes data to train models with. It takes the
// configuration that hopstream takes.
//
// The files, from the outside in:
//
//	main.go, root.go                 the program and its commands
//	eval.go, bench.go, revelatordata.go, simollama.go, rules.go
//	                                 one file per command: its flags, and what it calls
//	eval, bench, revelator, sim, rules
//	                                 what the commands do
//	dataset, score, report, oracle   what evaluation stands on
//	measured                         tables, each with the command that prints it
package main

func main() { program.Main() }
