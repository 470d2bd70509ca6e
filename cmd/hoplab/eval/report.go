package eval

import (
	"errors"
	"io"
	"os"
	"time"

	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/cli"
)

// figures is the JSON of all runs. The first run's fields also stand at the top
// level, where readers written for a single run expect them.
type figures struct {
	report.Run
	Runs []report.Run `json:"runs"`
}

// writeFigures writes what was asked for. The table goes to standard output
// unless something else does.
func writeFigures(a *cli.App, runs []report.Run, o Options) error {
	if o.JSON != "" {
		if err := writeTo(a, o.JSON, func(w io.Writer) error { return cli.WriteJSON(w, figures{runs[0], runs}) }); err != nil {
			return err
		}
	}
	if o.HTML != "" {
		if err := writeTo(a, o.HTML, func(w io.Writer) error { return report.HTML(w, runs, time.Now()) }); err != nil {
			return err
		}
	}
	if o.JSON == "-" || o.HTML == "-" {
		return nil
	}
	return report.Table(a.Out, runs, o.Table)
}

// writeTo writes a file, or to standard output for -.
func writeTo(a *cli.App, path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(a.Out)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
