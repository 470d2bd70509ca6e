package broker

import (
	"fmt"
	"log/slog"
	"sync"
)

// serverLog passes the embedded server's warnings and errors on, and keeps
// the last one for our own error messages.
type serverLog struct {
	log *slog.Logger

	mu   sync.Mutex
	said string
}

func newServerLog(log *slog.Logger) *serverLog { return &serverLog{log: log} }

func (s *serverLog) keep(format string, v []any) string {
	msg := fmt.Sprintf(format, v...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = msg
	return msg
}

func (s *serverLog) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said == "" {
		return "it gave no reason"
	}
	return s.said
}

// Noticef drops what the server tells of its own start and stop.
func (s *serverLog) Noticef(string, ...any) {}

// Warnf passes a warning on.
func (s *serverLog) Warnf(format string, v ...any) {
	s.log.Debug("embedded NATS server", "warning", s.keep(format, v))
}

// Errorf passes an error on.
func (s *serverLog) Errorf(format string, v ...any) {
	s.log.Warn("embedded NATS server", "error", s.keep(format, v))
}

// Fatalf passes on what would end a server of its own process.
func (s *serverLog) Fatalf(format string, v ...any) {
	s.log.Error("embedded NATS server", "error", s.keep(format, v))
}

// Debugf drops debugging.
func (s *serverLog) Debugf(string, ...any) {}

// Tracef drops tracing.
func (s *serverLog) Tracef(string, ...any) {}
