//go:build faults

package grafana

import (
	"syscall"
	"testing"
	"time"
)

// few are questions so rare that those which a stage that is gone delays are too
// few to burn a budget.
const few = 3 * time.Second

// startWorkers starts a system of the builtin engine: a router, a generator, and
// three of everything else, one of which sees the server's clock through a skewer.
func startWorkers(t *testing.T, bin string) *system {
	s := newSystem(t, bin, nil)
	s.startNATS(t)
	s.skew = startSkewer(t, s.nats)
	s.up(t, "router", "--stages", "router")
	s.up(t, "generator", "--stages", "generator")
	s.workers["rest-c"] = &worker{http: freeAddr(t), nats: s.skew.addr}
	for _, name := range []string{"rest-a", "rest-b", "rest-c"} {
		s.up(t, name, "--stages", "decomposer,retriever,filter,aligner,aggregator,judge")
	}
	s.run(t, "hopstream index ../index/sample/corpus.jsonl")
	return s
}

// again starts a worker again that is gone.
func again(names ...string) func(*testing.T, *system, runbook) {
	return func(t *testing.T, s *system, b runbook) {
		b.says(t, "hopstream up --stages")
		for _, name := range names {
			s.launchUp(t, name)
		}
	}
}

func workerFaults() []fault {
	gone := []string{"HopstreamStageBehind", "HopstreamStageStalled", "HopstreamStageWithoutWorkers", "HopstreamWorkerDown"}
	everybody := []string{"router", "generator", "rest-a", "rest-b", "rest-c"}
	return []fault{
		{
			name:  "a worker is killed",
			harm:  func(_ *testing.T, s *system) { s.workers["rest-b"].kill() },
			fires: []string{"HopstreamWorkerDown"},
			mend:  again("rest-b"),
		},
		{
			name:  "a worker is paused",
			harm:  func(_ *testing.T, s *system) { s.workers["rest-b"].signal(syscall.SIGSTOP) },
			fires: []string{"HopstreamWorkerDown"},
			mend: func(t *testing.T, s *system, b runbook) {
				b.says(t, "kill -CONT")
				s.workers["rest-b"].signal(syscall.SIGCONT)
			},
		},
		{
			name: "the router is gone", ask: sampleQuestions, every: few,
			harm:  func(t *testing.T, s *system) { s.workers["router"].stop(t) },
			fires: gone,
			mend:  again("router"),
		},
		{
			name: "a stage is gone", ask: sampleQuestions, every: few,
			harm:  func(t *testing.T, s *system) { s.workers["generator"].kill() },
			fires: gone,
			mend:  again("generator"),
		},
		{
			name: "every worker is gone", ask: sampleQuestions, every: few,
			harm: func(_ *testing.T, s *system) {
				for _, name := range everybody {
					s.workers[name].kill()
				}
			},
			fires: []string{"HopstreamNoWorkers", "HopstreamWorkerDown"},
			mend:  again(everybody...),
		},
		{
			name: "the NATS server is away", ask: sampleQuestions, every: few,
			harm:  func(_ *testing.T, s *system) { s.servers[0].kill() },
			fires: []string{"HopstreamNATSUnreachable"},
			mend: func(t *testing.T, s *system, b runbook) {
				b.says(t, "nats-server")
				s.startNATS(t)
			},
		},
		{
			name:  "a worker's clock is off",
			harm:  func(_ *testing.T, s *system) { s.skew.shift.Store(int64(time.Hour)) },
			fires: []string{"HopstreamClockSkew"},
			mend: func(t *testing.T, s *system, b runbook) {
				b.says(t, "chronyc makestep")
				s.skew.shift.Store(0)
			},
		},
	}
}
