// Package tracing holds that the spans of questions reach the OpenTelemetry
// collector's own OTLP receiver, from real processes over both of its protocols. It is
// a module of its own for the weight of the collector, which nothing else needs.
//
//	receiver_test.go  the receiver, and the spans that arrived
//	process_test.go   hopstream processes
//	tracing_test.go   trees of spans
package tracing
