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

// Terminal reports whether w is one, so that progress may be drawn on it.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
