package main

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// stdio are the process's streams: results go to out, everything else to err.
type stdio struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// terminal reports whether w is one, so that progress may be drawn on it.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
