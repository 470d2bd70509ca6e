package cli

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// Stdio are the process's streams: results go to Out, everything else to Err.
type Stdio struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Terminal reports whether a stream is one, so that progress may be drawn on it,
// or a question asked.
func Terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
