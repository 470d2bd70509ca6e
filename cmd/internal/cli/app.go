package cli

import (
	"fmt"
	"log/slog"

	"hopstream/cmd/internal/config"
)

// App is what every command starts from.
type App struct {
	Stdio
	Name   string // of the program
	Config config.Config
	Log    *slog.Logger
	// load reads the configuration again, with another preset.
	load func(preset string) (config.Config, error)
}

// Preset returns a copy of a, configured by the named preset except for what the
// user set. It fails as wrong use.
func (a *App) Preset(name string) (*App, error) {
	cfg, err := a.load(name)
	if err != nil {
		return nil, Usage(err)
	}
	b := *a
	b.Config = cfg
	return &b, nil
}

// Complain writes a line about what went wrong to standard error, under the
// program's name.
func (a *App) Complain(format string, args ...any) {
	fmt.Fprintf(a.Err, a.Name+": "+format+"\n", args...)
}
