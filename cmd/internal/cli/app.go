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
	// load reads the configuration again, with another preset, and with settings
	// in place of the user's.
	load func(preset string, settings map[string]any) (config.Config, error)
}

// Preset returns a copy of a, configured by the named preset except for what the
// user set. It fails as wrong use.
func (a *App) Preset(name string) (*App, error) { return a.Configured(name, nil) }

// Configured is Preset where the program itself sets something, by key, in place
// of the user.
func (a *App) Configured(name string, settings map[string]any) (*App, error) {
	cfg, err := a.load(name, settings)
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
