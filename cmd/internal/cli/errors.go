package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Exit codes: done; failed or not answered; wrong use; interrupted while
// somebody waited for an answer, as shells count a signal.
const (
	ExitDone        = 0
	ExitFail        = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// interruption is an end that the user asked for.
type interruption struct{ err error }

// Error says what becomes of what was under way.
func (e interruption) Error() string { return e.err.Error() }

// Unwrap returns what says it.
func (e interruption) Unwrap() error { return e.err }

// Interruptedf makes an error of an interruption, which says what becomes of
// what was under way: the exit code is ExitInterrupted.
func Interruptedf(format string, args ...any) error {
	return interruption{fmt.Errorf("interrupted: "+format, args...)}
}

// usageError is wrong use: the command line, the configuration.
type usageError struct{ err error }

// Error says what is wrong.
func (e usageError) Error() string { return e.err.Error() }

// Unwrap returns what says it.
func (e usageError) Unwrap() error { return e.err }

// Usagef makes an error of wrong use: the exit code is ExitUsage.
func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Usage makes err one of wrong use: the exit code is ExitUsage.
func Usage(err error) error { return usageError{err} }

// ErrSilent is a failure that has been reported already: the exit code is ExitFail,
// and nothing more is said.
var ErrSilent = errors.New("failed")

// explain returns an error as one line, and replaces the words of libraries that
// a user would not understand.
func explain(err error) string {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok && (api.ErrorCode == codeNoMemory || api.ErrorCode == codeNoStorage) {
		return OneLine(err) + ": the server's store is full: raise nats.max_store (or the server's max_file_store), free disk space, or wait until traces age out (pipeline.retention)"
	}
	if err.Error() == context.Canceled.Error() {
		return "interrupted"
	}
	return OneLine(err)
}

// The server's error codes for a store that is full.
const (
	codeNoMemory  = 10023
	codeNoStorage = 10047
)

// OneLine returns the text of an error as one line.
func OneLine(err error) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " ")
}
