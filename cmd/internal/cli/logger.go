package cli

import (
	"io"
	"log/slog"

	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
)

// NewLogger returns a log to w as configured. Where no level is set, it begins at
// info for a command that runs for long (chatty), else at warn. It fails as wrong
// use if there is no such level or format.
func NewLogger(w io.Writer, c config.LogConfig, chatty bool) (*slog.Logger, error) {
	level := slog.LevelWarn
	if chatty {
		level = slog.LevelInfo
	}
	if c.Level != "" {
		if err := level.UnmarshalText([]byte(c.Level)); err != nil {
			return nil, Usagef("log level %q: choose debug, info, warn or error", c.Level)
		}
	}
	opts := &slog.HandlerOptions{Level: level}
	switch c.Format {
	case "", "text":
		return slog.New(telemetry.LogHandler(slog.NewTextHandler(w, opts))), nil
	case "json":
		return slog.New(telemetry.LogHandler(slog.NewJSONHandler(w, opts))), nil
	}
	return nil, Usagef("log format %q: choose text or json", c.Format)
}
