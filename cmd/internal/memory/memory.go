// Package memory bounds the memory of the process.
//
//	memory.go  Limit: what the runtime is to stay below
//	idle.go    GiveBack: what an idle process does not need
package memory

import (
	"log/slog"
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// share is how much of what there is the process may use; the rest is for what
// the runtime does not count.
const share = 0.9

// provider tells what there is: what was configured, or else what the container
// has, or the machine.
func provider(configured uint64) memlimit.Provider {
	if configured > 0 {
		return memlimit.Limit(configured)
	}
	return memlimit.ApplyRatio(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem), share)
}

// Limit has the runtime collect garbage so that the process stays below the
// configured bytes, or, where they are 0, below a share of what its container or
// machine has. GOMEMLIMIT in the environment wins. What cannot be found out is
// logged, and leaves the process without a limit.
func Limit(configured uint64, logger *slog.Logger) {
	limit, err := memlimit.Set(memlimit.WithRatio(1), memlimit.WithProvider(provider(configured)))
	if err != nil {
		logger.Warn("the process has no memory limit", "error", err)
		return
	}
	logger.Debug("memory limit", "bytes", limit)
}

// unknown is taken for the memory of a machine that does not tell.
const unknown = 1 << 30

// Available returns how many bytes the process may use: GOMEMLIMIT, or else as
// Limit finds it.
func Available(configured uint64) uint64 {
	if is := debug.SetMemoryLimit(-1); is < math.MaxInt64 && is > 0 {
		return uint64(is)
	}
	n, err := provider(configured)()
	if err != nil || n == 0 || n > math.MaxInt64 {
		return unknown
	}
	return n
}
