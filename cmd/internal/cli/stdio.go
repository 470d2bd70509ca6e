package cli

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// Stdio are the process's streams: results go to Out, everything else to Err.
type Stdio struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Styled reports whether w is a terminal that shows bold letters and links: not
// a dumb one, and not one whose user wants no such thing (NO_COLOR).
func Styled(w io.Writer) bool { return Terminal(w) && styled(os.Getenv) }

func styled(env func(string) string) bool {
	return env("NO_COLOR") == "" && env("TERM") != "dumb"
}

// Terminal reports whether a stream is one, so that progress may be drawn on it,
// or a question asked.
func Terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// Width returns how many letters a row of a terminal has; 80 where it does not
// tell.
func Width(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}
