package tracing

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// traceparentLen is the length of a W3C traceparent of version 00.
const traceparentLen = len("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")

// Parse reads a W3C traceparent. What is none gives an invalid context.
func Parse(traceparent string) trace.SpanContext {
	if len(traceparent) != traceparentLen || traceparent[:3] != "00-" || traceparent[35] != '-' || traceparent[52] != '-' {
		return trace.SpanContext{}
	}
	id, err := trace.TraceIDFromHex(traceparent[3:35])
	if err != nil {
		return trace.SpanContext{}
	}
	span, err := trace.SpanIDFromHex(traceparent[36:52])
	if err != nil {
		return trace.SpanContext{}
	}
	var flags [1]byte
	if _, err := hex.Decode(flags[:], []byte(traceparent[53:])); err != nil {
		return trace.SpanContext{}
	}
	return trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: span, TraceFlags: trace.TraceFlags(flags[0]) & trace.FlagsSampled, Remote: true})
}

// Format returns the W3C traceparent of a valid context.
func Format(c trace.SpanContext) string {
	var b [traceparentLen]byte
	id, span := c.TraceID(), c.SpanID()
	copy(b[:], "00-")
	hex.Encode(b[3:35], id[:])
	b[35] = '-'
	hex.Encode(b[36:52], span[:])
	copy(b[52:], "-00")
	if c.IsSampled() {
		b[54] = '1'
	}
	return string(b[:])
}

// ID returns the trace ID in a traceparent; empty where there is none.
func ID(traceparent string) string {
	if !Parse(traceparent).IsValid() {
		return ""
	}
	return traceparent[3:35]
}

// traceOf returns the ID of the trace of a question that brings none: the same in
// every process and at every delivery.
func traceOf(id string, asked time.Time) (t trace.TraceID) {
	h := hashOf(id, uint64(asked.UnixNano()))
	copy(t[:], h[:])
	return t
}

// questionSpan returns the ID of the span of a question as a whole. A client may
// ask several questions in one trace.
func questionSpan(t trace.TraceID, id string) (s trace.SpanID) {
	h := hashOf(id, binary.BigEndian.Uint64(t[8:]))
	copy(s[:], h[:])
	return s
}

// hashOf mixes a text, of which the first 128 bytes count, with a number.
func hashOf(text string, n uint64) [sha256.Size]byte {
	var b [8 + 128]byte
	binary.BigEndian.PutUint64(b[:], n)
	return sha256.Sum256(b[:8+copy(b[8:], text)])
}

// Under returns ctx with the place that a traceparent tells, if it tells one.
func Under(ctx context.Context, traceparent string) context.Context {
	if c := Parse(traceparent); c.IsValid() {
		return trace.ContextWithSpanContext(ctx, c)
	}
	return ctx
}

// Child returns the place of a new span under parent, which is valid.
func Child(parent trace.SpanContext) trace.SpanContext {
	var id trace.SpanID
	binary.LittleEndian.PutUint64(id[:], rand.Uint64()|1) // never all zero, which means invalid
	return trace.NewSpanContext(trace.SpanContextConfig{TraceID: parent.TraceID(), SpanID: id, TraceFlags: parent.TraceFlags()})
}

// newTrace returns the ID of a new trace.
func newTrace() (t trace.TraceID) {
	binary.LittleEndian.PutUint64(t[:8], rand.Uint64())
	binary.LittleEndian.PutUint64(t[8:], rand.Uint64()|1)
	return t
}
