// Package cli is what programs of commands share: how a command line is read,
// how errors become exit codes, and what every command starts from.
//
//	program.go   Program: a name and its commands; Main and Run
//	completion.go
//	             what shells complete the values of flags with
//	app.go       App: streams, configuration and log, which every command gets
//	errors.go    exit codes, errors of wrong use, errors in one line
//	stdio.go     the process's three streams
//	confirm.go   a question to whoever sits at the terminal
//	logger.go    the log on standard error
//	progress.go  progress bars, drawn on terminals alone
//	files.go     files of questions and answers, where - is a standard stream
//	text.go      JSON lines, counted things
package cli
