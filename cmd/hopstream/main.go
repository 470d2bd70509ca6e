// Command hopstream answers streams of questions over your own documents,
// multi-hop ones included.
//
// The files, from the outside in:
//
//	main.go, root.go     the program, its global flags and commands
//	config.go            configuration: defaults, YAML file, environment, flags
//	connect.go           which NATS server: a given one, a running `up`, or our own
//	node.go              the workers of one process, wired (see stages/assembly)
//	telemetry.go, http.go, service.go   what a process shows of itself
//	demo.go … bench.go   one file per subcommand
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/nats-io/nats.go/jetstream"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, stop, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// Exit codes.
const (
	exitDone  = 0
	exitFail  = 1
	exitUsage = 2
)

// usageError is wrong use: the command line, the configuration.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errSilent is a failure that has been reported already.
var errSilent = errors.New("failed")

// run is the program without the process around it. A second signal ends the
// process at once, since stop restores the default handling.
func run(ctx context.Context, stop func(), args []string, std stdio) int {
	context.AfterFunc(ctx, stop)
	err := newRoot(std, args).ExecuteContext(ctx)
	var wrong usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errSilent):
		return exitFail
	case errors.As(err, &wrong):
		fmt.Fprintln(std.err, "hopstream:", oneLine(err))
		return exitUsage
	}
	fmt.Fprintln(std.err, "hopstream:", explain(err))
	return exitFail
}

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
