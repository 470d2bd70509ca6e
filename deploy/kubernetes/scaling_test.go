package kubernetes

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// scaledObject is what the tests read of KEDA's.
type scaledObject struct {
	Metadata struct{ Name string }
	Spec     struct {
		ScaleTargetRef  struct{ Kind, Name string }
		MinReplicaCount int
		MaxReplicaCount int
		PollingInterval int
		CooldownPeriod  int
		Fallback        *struct{ Behavior string }
		Triggers        []trigger
		Advanced        map[string]any
	}
}

type trigger struct {
	Type     string
	Metadata map[string]string
}

// scaled returns the objects of a kustomization of scaling, by name.
func scaled(t *testing.T, base string, components ...string) map[string]scaledObject {
	t.Helper()
	all := map[string]scaledObject{}
	for _, other := range render(t, base, components...).others {
		data, err := yaml.Marshal(other)
		if err != nil {
			t.Fatal(err)
		}
		var s scaledObject
		if err := yaml.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		all[s.Metadata.Name] = s
	}
	return all
}

// settings are the effective ones of a process, as `hopstream config` says them.
type settings struct {
	Stages map[string]struct{ Concurrency int }
	Models map[string]struct{ Concurrency int }
}

// effective asks the program what it makes of the environment env.
func effective(t *testing.T, bin string, env map[string]string) settings {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, "config")
	cmd.Dir = t.TempDir()
	for k, v := range env {
		if k != "HOPSTREAM_NATS__TLS__CA" { // a file of the pod
			cmd.Env = append(cmd.Env, k+"="+v)
		}
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("hopstream config: %v", err)
	}
	var s settings
	if err := yaml.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// program returns the path of hopstream: KUBERNETES_HOPSTREAM, or a build of it.
func program(t *testing.T) string {
	t.Helper()
	if bin := os.Getenv("KUBERNETES_HOPSTREAM"); bin != "" {
		return bin
	}
	return goBuild(t, "../..", "hopstream", "hopstream/cmd/hopstream")
}

// goBuild builds a program of a module, under a name.
func goBuild(t *testing.T, module, name, pkg string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), name)
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", bin, pkg)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return bin
}

// A replica is wanted for as many messages as one process works on at once: each
// stage's threshold is its effective concurrency, with a model and without.
func TestThresholdsAreTheStagesConcurrency(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds hopstream")
	}
	bin := program(t)
	for _, variant := range []string{"production", "production with model", "production with ollama"} {
		is := effective(t, bin, variants(t)[variant].configMap(t, "hopstream"))
		for base, model := range map[string]string{"scaling/lag": "scaling/model", "scaling/prometheus": "scaling/model-prometheus"} {
			var with []string
			if variant != "production" {
				with = []string{model}
			}
			for group, s := range scaled(t, base, with...) {
				stages := stagesOf(variants(t)[variant].workers()[group])
				if s.Spec.Triggers[0].Type == "cpu" {
					continue
				}
				if len(s.Spec.Triggers) != len(stages) {
					t.Errorf("%s: %s has %d triggers for %v", base, group, len(s.Spec.Triggers), stages)
					continue
				}
				for i, tr := range s.Spec.Triggers {
					if group == "router" {
						continue // the questions that a model's process holds wait for their turn, not for a replica
					}
					if got, err := strconv.Atoi(tr.Metadata["lagThreshold"] + tr.Metadata["threshold"]); err != nil || got != is.Stages[stages[i]].Concurrency {
						t.Errorf("%s, %s: %s: threshold %d; a process works on %d at once", variant, base, stages[i], got, is.Stages[stages[i]].Concurrency)
					}
				}
			}
		}
	}
}

// Questions that are not admitted wait in front of the pipeline, where no stage lags:
// as many are admitted as the most replicas of what starts from none work on at once.
func TestWindowGivesTheMostReplicasWork(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		var with []string
		if strings.HasSuffix(variant, "model") || strings.HasSuffix(variant, "ollama") {
			with = []string{"scaling/model"}
		}
		want := 0
		for group, s := range scaled(t, "scaling/lag", with...) {
			if s.Spec.MinReplicaCount > 0 {
				continue
			}
			least := 1 << 20 // the stage of which a process works on the fewest
			for _, tr := range s.Spec.Triggers {
				n, err := strconv.Atoi(tr.Metadata["lagThreshold"])
				if err != nil {
					t.Fatalf("%s: %v", group, err)
				}
				least = min(least, n)
			}
			want = max(want, s.Spec.MaxReplicaCount*least)
		}
		if is := o.configMap(t, "hopstream")["HOPSTREAM_ADMISSION__LEAST_WINDOW"]; is != strconv.Itoa(want) {
			t.Errorf("%s: a window of %s questions; want %d", variant, is, want)
		}
	}
}

// Every stage but the router, whose questions wait in several consumers, is scaled
// by the lag of its own stream and consumer; each group by one object.
func TestEveryStageIsScaledByItsOwnLag(t *testing.T) {
	t.Parallel()
	o := variants(t)["production"]
	lag, prom := scaled(t, "scaling/lag"), scaled(t, "scaling/prometheus")
	if want := slices.Sorted(maps.Keys(o.workers())); !slices.Equal(slices.Sorted(maps.Keys(lag)), want) || !slices.Equal(slices.Sorted(maps.Keys(prom)), want) {
		t.Fatalf("scaled: %v; workloads: %v", slices.Sorted(maps.Keys(lag)), want)
	}
	inputs := map[string]string{"retriever": "retrieve", "decomposer": "decompose", "judge": "judge", "aggregator": "subanswer", "filter": "filter", "aligner": "align", "generator": "generate"}
	for group, w := range o.workers() {
		if ref := lag[group].Spec.ScaleTargetRef; ref.Kind != w.kind || ref.Name != w.name {
			t.Errorf("%s scales %+v", group, ref)
		}
		for i, stage := range stagesOf(w) {
			if q := prom[group].Spec.Triggers[i].Metadata["query"]; q != `max(hopstream_stage_lag{stage="`+stage+`"})` {
				t.Errorf("%s: query %s", stage, q)
			}
			if stage == "router" {
				continue
			}
			m := lag[group].Spec.Triggers[i].Metadata
			if m["stream"] != "hop-v1-"+inputs[stage] || m["consumer"] != stage || m["natsServerMonitoringEndpoint"] != "nats-nodes.hopstream.svc:8222" {
				t.Errorf("%s: trigger %v", stage, m)
			}
		}
	}
}

// What must not be away has two replicas; the others may be none, and each has a
// most. With a model there are no more replicas than its server has slots for.
func TestReplicasAreBounded(t *testing.T) {
	t.Parallel()
	for group, s := range scaled(t, "scaling/lag") {
		least := map[string]int{"router": 2, "retriever": 2}[group]
		if s.Spec.MinReplicaCount != least || s.Spec.MaxReplicaCount < 4 || s.Spec.MaxReplicaCount > 12 {
			t.Errorf("%s: %d to %d replicas", group, s.Spec.MinReplicaCount, s.Spec.MaxReplicaCount)
		}
		if cpu := s.Spec.Triggers[0].Type == "cpu"; !cpu && (s.Spec.Fallback == nil || s.Spec.Fallback.Behavior != "currentReplicas") {
			t.Errorf("%s: what it does when the lag cannot be read is not said", group)
		}
		// A poll and a look of the HPA (15 s) are within two polls. Where there always is
		// a replica, the HPA looks alone, and KEDA warns of what it does not read.
		polled := s.Spec.PollingInterval >= 16 && s.Spec.PollingInterval <= 30 && s.Spec.CooldownPeriod >= 60
		if least > 0 {
			polled = s.Spec.PollingInterval == 0 && s.Spec.CooldownPeriod == 0
		}
		if !polled {
			t.Errorf("%s: polled every %d s, none after %d s", group, s.Spec.PollingInterval, s.Spec.CooldownPeriod)
		}
	}
	asking := 0
	for group, s := range scaled(t, "scaling/lag", "scaling/model") {
		if group == "reason" || group == "read" {
			asking += s.Spec.MaxReplicaCount
		}
	}
	if asking != 10 {
		t.Errorf("%d replicas ask the model; its comment says ten", asking)
	}
}
