package tracing_test

import (
	"testing"

	"hopstream/stages/tracing"
)

// TestTraceparent holds that what is no traceparent is taken for none, and that one
// that is keeps its trace, its span and its decision.
func TestTraceparent(t *testing.T) {
	t.Parallel()
	const sampled = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
	const not = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-00"
	for in, want := range map[string]string{
		sampled: sampled, not: not,
		"00-0123456789abcdef0123456789abcdef-0123456789abcdef-03":  sampled, // a random trace ID, says another flag
		"00-0123456789abcdef0123456789abcdef-0123456789abcdef-0a":  not,
		"00-0123456789abcdef0123456789abcdef-0123456789abcdef-zz":  "",
		"00-00000000000000000000000000000000-0123456789abcdef-01":  "",
		"00-0123456789abcdef0123456789abcdef-0000000000000000-01":  "",
		"01-0123456789abcdef0123456789abcdef-0123456789abcdef-01":  "",
		"00-0123456789abcdef0123456789abcdef-0123456789abcdef-011": "",
		"rubbish": "", "": "",
	} {
		c := tracing.Parse(in)
		if c.IsValid() != (want != "") || c.IsValid() && tracing.Format(c) != want {
			t.Errorf("%q becomes %v", in, c)
		}
		if id := tracing.ID(in); (id == "") != (want == "") {
			t.Errorf("%q is of trace %q", in, id)
		}
	}
}

// TestChild holds that a span's child is in its trace, and keeps its decision.
func TestChild(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"00", "01"} {
		parent := tracing.Parse("00-0123456789abcdef0123456789abcdef-0123456789abcdef-" + flag)
		a, b := tracing.Child(parent), tracing.Child(parent)
		if a.TraceID() != parent.TraceID() || a.TraceFlags() != parent.TraceFlags() || a.SpanID() == b.SpanID() || !a.IsValid() {
			t.Errorf("%v and %v under %v", a, b, parent)
		}
	}
}

// TestOff holds that a tracer that is none can be asked for everything.
func TestOff(t *testing.T) {
	t.Parallel()
	var none *tracing.Tracer
	parent, own := none.Start(t.Context())
	if none.On() || !own.IsValid() || own.IsSampled() || parent.TraceID() != own.TraceID() {
		t.Errorf("%v %v", parent, own)
	}
	none.Record(&tracing.Span{Name: "x", Own: own})
	none.Keep(own.TraceID())
	none.Forget(own.TraceID())
}
