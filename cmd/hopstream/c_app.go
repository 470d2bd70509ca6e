package main

import (
	"fmt"
	"hopstream/cmd/internal/config"
	"log/slog"
)

// app is what every command starts from.
type app struct {
	stdio
	name string // of the program
	cfg  config.Config
	log  *slog.Logger
	// load reads the configuration again, with another preset.
	load func(preset string) (config.Config, error)
}

// preset returns a that runs as the named preset says, wherever the user did
// not say otherwise. It fails with a usageError.
func (a *app) preset(name string) (*app, error) {
	cfg, err := a.load(name)
	if err != nil {
		return nil, asUsage(err)
	}
	b := *a
	b.cfg = cfg
	return &b, nil
}

// complain writes a line about what went wrong to standard error, under the
// program's name.
func (a *app) complain(format string, args ...any) {
	fmt.Fprintf(a.err, a.name+": "+format+"\n", args...)
}
