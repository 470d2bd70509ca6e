package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Exit codes.
const (
	exitDone  = 0
	exitFail  = 1
	exitUsage = 2
)

// usageError is wrong use: the command line, the configuration.
type usageError struct{ err error }

// Error says what is wrong.
func (e usageError) Error() string { return e.err.Error() }

// Unwrap returns what says it.
func (e usageError) Unwrap() error { return e.err }

// usagef makes an error of wrong use.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// asUsage makes err one of wrong use.
func asUsage(err error) error { return usageError{err} }

// errSilent is a failure that has been reported already.
var errSilent = errors.New("failed")

// explain makes an error one line, in the user's terms where the cause speaks
// its own.
func explain(err error) string {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok && (api.ErrorCode == codeNoMemory || api.ErrorCode == codeNoStorage) {
		return oneLine(err) + ": the server's store is full: raise nats.max_store (or the server's max_file_store), free disk space, or wait until traces age out (pipeline.retention)"
	}
	if err.Error() == context.Canceled.Error() {
		return "interrupted"
	}
	return oneLine(err)
}

// The server's words for a store that is full, by error code.
const (
	codeNoMemory  = 10023
	codeNoStorage = 10047
)

// oneLine makes an error one line.
func oneLine(err error) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " ")
}
