//go:build faults

package grafana

import (
	"testing"
	"time"
)

// startQuestions starts a system of one worker, with the builtin engine.
func startQuestions(t *testing.T, bin string) *system {
	s := newSystem(t, bin, nil)
	s.startNATS(t)
	s.up(t, "all")
	s.run(t, "hopstream index ../index/sample/corpus.jsonl")
	return s
}

// unheardOf are questions that the sample's documents do not answer.
func unheardOf(*testing.T) []question {
	return []question{{Question: "What is the mass of the Zorblax engine?"}, {Question: "Who wrote Hamlet's third sequel?"}}
}

// ofTwo are the sample's questions, of two tenants in turn.
func ofTwo(t *testing.T) []question {
	var out []question
	for _, q := range sampleQuestions(t) {
		for _, q.Tenant = range []string{"acme", "zeta"} {
			out = append(out, q)
		}
	}
	return out
}

func questionFaults() []fault {
	purge := func(t *testing.T, s *system, b runbook) {
		b.says(t, "hopstream dead ls")
		b.says(t, "hopstream dead purge --all")
		s.run(t, "hopstream dead ls")
		s.run(t, "hopstream dead purge --all")
	}
	return []fault{
		{
			name:  "a poison message",
			harm:  func(t *testing.T, s *system) { s.publish(t, "hop.v1.retrieve.poison.1", "{") },
			fires: []string{"HopstreamDeadLetters"},
			mend:  purge,
		},
		{
			name:  "a document that nobody can read",
			harm:  func(t *testing.T, s *system) { s.publish(t, "hop.v1.document.poison", "{") },
			fires: []string{"HopstreamDeadLetters"},
			mend:  purge,
		},
		{
			name: "a tenant is paused, and forgotten", ask: ofTwo, every: 500 * time.Millisecond,
			harm:  func(t *testing.T, s *system) { s.run(t, "hopstream tenants pause acme") },
			fires: []string{"HopstreamStageBehind", "HopstreamTenantStarving"},
			mend: func(t *testing.T, s *system, b runbook) {
				b.says(t, "hopstream tenants ls")
				b.says(t, "hopstream tenants resume")
				s.run(t, "hopstream tenants resume acme")
			},
		},
		{
			name: "questions that the documents do not answer", ask: unheardOf, every: 200 * time.Millisecond,
			harm:  func(*testing.T, *system) {},
			fires: []string{"HopstreamQuestionsUnanswered"},
			mend: func(t *testing.T, s *system, b runbook) {
				b.says(t, "hopstream search")
				b.says(t, "hopstream index --sync")
				s.run(t, "hopstream search anthem")
			},
		},
	}
}
