package config

import (
	"strings"
	"testing"
)

// TestTracing holds which settings of tracing are refused, and that a password in the
// endpoint is not shown.
func TestTracing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set  func(*TracingConfig)
		says string // empty: fine
	}{
		{func(c *TracingConfig) {}, ""},
		{func(c *TracingConfig) { c.Endpoint, c.Protocol = "https://tempo:4317", ProtocolGRPC }, ""},
		{func(c *TracingConfig) { c.Sample = 1.1 }, "tracing.sample"},
		{func(c *TracingConfig) { c.Sample = -1 }, "tracing.sample"},
		{func(c *TracingConfig) { c.Protocol = "http/json" }, "tracing.protocol"},
		{func(c *TracingConfig) { c.Endpoint = "tempo:4317" }, "tracing.endpoint"},
	} {
		one := Default().Tracing
		c.set(&one)
		var errs []string
		one.validate(func(format string, _ ...any) { errs = append(errs, format) })
		if said := strings.Join(errs, " "); (c.says == "") != (said == "") || !strings.Contains(said, c.says) {
			t.Errorf("%+v: %q, want %q", one, said, c.says)
		}
	}
	full := Default()
	full.Tracing.Endpoint = "http://user:secret@tempo:4318"
	if shown := full.Redacted().Tracing.Endpoint; strings.Contains(shown, "secret") {
		t.Error(shown)
	}
}
