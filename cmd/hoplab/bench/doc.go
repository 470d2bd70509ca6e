// Package bench measures throughput and latency.
//
//	bench.go   Options; Run; the pipeline beside the ceiling, in turn
//	null.go    an engine that does nothing, and which messages a question consists of
//	raw.go     the ceiling: plain JetStream workers that move as many messages
//	real.go    the configured engine and index
//	model.go   how well a model's server is used
//	sim.go     a simulated one
//	memory.go  resident memory over many questions
//	cpu_unix.go, cpu_other.go   processor time
package bench
