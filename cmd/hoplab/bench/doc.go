// Package bench measures throughput and latency.
//
//	bench.go   Options; Run; the pipeline beside the ceiling, in turn
//	null.go    an engine that does nothing, and which messages a question consists of
//	raw.go     the ceiling: plain JetStream workers that move as many messages
//	real.go    the configured engine and index
//	model.go   how well a model's server is used
//	sim.go     a simulated one
//	speed.go   every preset with models of several speeds
//	bound.go   the calls that a preset's paper allows a question
//	shared.go  the calls of questions that ask about the same things
//	trace.go   what tracing costs
//	tenants.go what tenants get of the pipeline while one floods it
//	load.go    … and the load that they put on it
//	memory.go  resident memory over many questions
//	soak.go    what the process uses while it is kept busy for long
//	growth.go  whether that goes on growing
//	cpu_unix.go, cpu_other.go   processor time
package bench
