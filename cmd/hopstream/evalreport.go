package main

import (
	"errors"
	"io"
	"os"
	"time"

	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/cli"
)

// evalJSON is the JSON of runs: the first one's fields as they have always
// been, and all of them.
type evalJSON struct {
	report.Run
	Runs []report.Run `json:"runs"`
}

// renderEval writes what was asked for. The table goes to standard output
// unless something else does.
func renderEval(a *cli.App, runs []report.Run, o evalOptions) error {
	if o.json != "" {
		if err := writeTo(a, o.json, func(w io.Writer) error { return cli.WriteJSON(w, evalJSON{runs[0], runs}) }); err != nil {
			return err
		}
	}
	if o.html != "" {
		if err := writeTo(a, o.html, func(w io.Writer) error { return report.HTML(w, runs, time.Now()) }); err != nil {
			return err
		}
	}
	if o.json == "-" || o.html == "-" {
		return nil
	}
	return report.Table(a.Out, runs, o.table)
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
