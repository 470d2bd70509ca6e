//go:build faults

package grafana

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startIndex starts a system whose index has vectors from a model, and whose
// questions are answered by the builtin engine.
func startIndex(t *testing.T, bin string) *system {
	s := newSystem(t, bin, nil)
	s.configure(t, map[string]any{
		"engines":   map[string]any{"embedder": "ollama"},
		"models":    map[string]any{"default": map[string]any{"name": "m", "url": "http://" + s.modelAddr, "timeout": "1m"}},
		"retriever": map[string]any{"searchers": []string{"bm25", "dense"}},
	})
	s.startModel(t, swift)
	s.startNATS(t)
	s.up(t, "all")
	s.up(t, "second", "--stages", "retriever")
	s.run(t, "hopstream index ../index/sample/corpus.jsonl")
	return s
}

func none(*testing.T) []question { return nil }

func indexFaults() []fault {
	return []fault{
		{
			name: "the index is behind", ask: none,
			harm: func(t *testing.T, s *system) {
				s.startModel(t, "--latency=25s")
				// It waits until the documents are indexed.
				launch(t, s.owner, filepath.Join(s.bin, "hopstream"), "index", "--config", s.config(), "--nats", "nats://"+s.nats, "README.md")
			},
			fires: []string{"HopstreamIndexBehind"},
			mend:  other("hopstream config --check"),
		},
		{
			name: "an index is not ready", ask: none,
			harm: func(t *testing.T, s *system) {
				s.model.stop(t)
				s.workers["second"].stop(t)
				s.launchUp(t, "second", "--stages", "retriever", "--data", t.TempDir())
			},
			fires: []string{"HopstreamIndexBehind", "HopstreamIndexNotReady", "HopstreamModelUnavailable"},
			mend:  other("hopstream config --check"),
		},
	}
}

// startCluster starts three NATS servers that keep a copy of each stream.
func startCluster(t *testing.T, bin string) *system {
	s := newSystem(t, bin, map[string]any{"nats": map[string]any{"replicas": 3}})
	var routes, urls []string
	for range 3 {
		routes = append(routes, freeAddr(t))
		urls = append(urls, freeAddr(t))
	}
	s.nats = urls[0]
	for i := range 3 {
		s.startMember(t, i, urls, routes)
	}
	within(t, "the cluster has a leader", func() bool {
		_, err := s.try(t, "hopstream status")
		return err == nil
	})
	s.member = func(t *testing.T, i int) { s.startMember(t, i, urls, routes) }
	s.up(t, "all")
	s.run(t, "hopstream index ../index/sample/corpus.jsonl")
	return s
}

// startMember starts one server of a cluster, or starts it again.
func (s *system) startMember(t *testing.T, i int, urls, routes []string) {
	t.Helper()
	_, port, err := net.SplitHostPort(urls[i])
	if err != nil {
		t.Fatal(err)
	}
	c := launch(t, s.owner, filepath.Join(s.bin, "nats-server"), "-a", "127.0.0.1", "-p", port, "-js", "-sd", filepath.Join(s.dir, fmt.Sprint("member", i)),
		"-n", fmt.Sprint("member", i), "--cluster_name", "c", "--cluster", "nats://"+routes[i], "--routes", "nats://"+strings.Join(routes, ",nats://"))
	if i < len(s.servers) {
		s.servers[i] = c
	} else {
		s.servers = append(s.servers, c)
	}
}

func clusterFaults() []fault {
	return []fault{{
		name: "a copy on a NATS server is lost", ask: sampleQuestions, every: few,
		harm: func(t *testing.T, s *system) {
			// It hands over what it leads before: that another takes over from a
			// server that is killed lasts seconds, which here count as minutes.
			s.servers[2].signal(syscall.SIGUSR2)
			within(t, "the others lead", func() bool {
				return strings.Contains(s.servers[2].log.last(1<<20), "[INF] JetStream Shutdown")
			})
			s.run(t, "hopstream status")
			s.servers[2].kill()
		},
		fires: []string{"HopstreamNATSReplicaDown"},
		mend: func(t *testing.T, s *system, b runbook) {
			b.says(t, "nats-server")
			s.member(t, 2)
		},
	}}
}

// startDisk starts a system whose NATS server may store little.
func startDisk(t *testing.T, bin string) *system {
	s := newSystem(t, bin, nil)
	s.bytes = 3 << 20
	s.startNATS(t)
	s.up(t, "all")
	s.run(t, "hopstream index ../index/sample/corpus.jsonl")
	return s
}

func diskFaults() []fault {
	return []fault{{
		name: "the disk is full", ask: sampleQuestions, every: 10 * time.Millisecond,
		harm:  func(*testing.T, *system) {},
		fires: []string{"HopstreamStageBehind", "HopstreamStageRetrying", "HopstreamStageStalled"},
		mend: func(t *testing.T, s *system, b runbook) {
			b.says(t, "give a disk room")
			s.servers[0].stop(t)
			s.bytes = 1 << 30
			s.startNATS(t)
		},
	}}
}

// startFlood starts a system that takes few questions at once.
func startFlood(t *testing.T, bin string) *system {
	s := newSystem(t, bin, map[string]any{"pipeline": map[string]any{"max_open": 40}})
	return startWithModel(t, s, map[string]any{"name": "m", "cache": 0, "timeout": "20s", "concurrency": 8})
}

func floodFaults() []fault {
	return []fault{{
		name: "a flood of questions", ask: curie("30s", "single"), every: 50 * time.Millisecond,
		harm:  with("--latency=2s"),
		fires: []string{"HopstreamLatencyFastBurn", "HopstreamLatencySlowBurn", "HopstreamOpenQuestionsNearLimit", "HopstreamStageBehind"},
		mend:  other("hopstream up --stages", "hopstream ls"),
	}}
}
