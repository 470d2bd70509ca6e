// Package drain empties workers, and the whole pipeline, on an operator's word.
//
//	protocol.go   what is asked of workers, and what they report
//	worker.go     Worker: a process that reports, and can be asked to end
//	operator.go   Workers, Drain: who asks, and waits until they have ended
//	questions.go  Pause: no more questions are taken, until nothing is under way
//
// Workers are asked on one subject, and each reports to the inbox of whoever asks.
// Nothing of it is stored: a worker that is asked and dies has ended too, and its
// messages are delivered to another.
package drain
