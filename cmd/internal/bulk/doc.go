// Package bulk answers questions in bulk: JSON lines in, JSON lines out as the
// answers come.
//
//	bulk.go      Run: the files, the session, the summary
//	streamer.go  questions in and answers out, while the pipeline works
//	lines.go     lines of questions, read within bounded memory
//	resume.go    which questions have a line in the output already
package bulk
