package kubernetes

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"hopstream/deploy/internal/pipeline"
)

// A worker is started, ready and alive by its own word, on the port it serves.
func TestProbesAskThePortThatIsServed(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		for _, w := range o.workloads() {
			if !w.serves() {
				continue
			}
			c := w.container()
			for what, p := range map[string]*core.Probe{"startup": c.StartupProbe, "readiness": c.ReadinessProbe, "liveness": c.LivenessProbe} {
				if p == nil || p.HTTPGet == nil {
					t.Errorf("%s: %s has no %s probe", variant, w.name, what)
					continue
				}
				if !slices.ContainsFunc(c.Ports, func(q core.ContainerPort) bool { return q.Name == p.HTTPGet.Port.String() }) {
					t.Errorf("%s: %s: the %s probe asks port %s, which the container does not have", variant, w.name, what, p.HTTPGet.Port.String())
				}
				if path := map[string]string{"readiness": "/readyz"}[what]; w.hopstream() && p.HTTPGet.Path != "/healthz" && p.HTTPGet.Path != path {
					t.Errorf("%s: %s: the %s probe asks %s", variant, w.name, what, p.HTTPGet.Path)
				}
			}
			if w.hopstream() {
				if _, port, _ := strings.Cut(pipeline.Flag(c.Args, "--http"), ":"); len(c.Ports) != 1 || port != "9464" || c.Ports[0].ContainerPort != 9464 {
					t.Errorf("%s: %s serves %s, and says %v", variant, w.name, port, c.Ports)
				}
			}
		}
		for _, s := range o.services {
			o.checkService(t, variant, s)
		}
	}
}

// checkService says if s leads to no pod, or to a port that its pods lack.
func (o *objects) checkService(t *testing.T, variant string, s *core.Service) {
	t.Helper()
	for _, w := range o.workloads() {
		if !labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(w.pod.Labels)) {
			continue
		}
		for _, p := range s.Spec.Ports {
			if !slices.ContainsFunc(w.container().Ports, func(q core.ContainerPort) bool { return q.Name == p.TargetPort.String() && q.ContainerPort == p.Port }) {
				t.Errorf("%s: service %s: %s has no port %s, %d", variant, s.Name, w.name, p.TargetPort.String(), p.Port)
			}
		}
		return
	}
	t.Errorf("%s: service %s leads to no pod", variant, s.Name)
}

// grace is what the runner takes at most to end, by the program's settings.
func grace(t *testing.T) time.Duration {
	t.Helper()
	src, err := os.ReadFile("../../stages/runner/runner.go")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`o\.Grace = (\d+) \* time\.Second`).FindSubmatch(src)
	if m == nil {
		t.Fatal("the runner's grace is no longer set where this test looks for it")
	}
	d, err := time.ParseDuration(string(m[1]) + "s")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPodsAreGivenTimeToEnd(t *testing.T) {
	t.Parallel()
	worker := grace(t) + 15*time.Second // an unfinished fetch, HTTP, the connection
	for variant, o := range variants(t) {
		for _, w := range o.workloads() {
			if !w.serves() {
				continue
			}
			least := worker
			if w.name == "nats" {
				least = lameDuck(t, o) + 10*time.Second
				if h := w.container().Lifecycle; h == nil || h.PreStop == nil || !slices.Contains(h.PreStop.Exec.Command, "-sl=ldm=/run/nats/nats.pid") {
					t.Errorf("%s: NATS leaves without a word to its clients", variant)
				}
			}
			if is := time.Duration(*w.pod.Spec.TerminationGracePeriodSeconds) * time.Second; is < least {
				t.Errorf("%s: %s is killed after %v; it may take %v", variant, w.name, is, least)
			}
		}
	}
}

// lameDuck is what a server of NATS takes to send its clients away.
func lameDuck(t *testing.T, o *objects) (d time.Duration) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^lame_duck_\w+: (\S+)`).FindAllStringSubmatch(o.configMap(t, "nats")["nats.conf"], -1) {
		one, err := time.ParseDuration(m[1])
		if err != nil {
			t.Fatal(err)
		}
		d += one
	}
	if d == 0 {
		t.Fatal("nats.conf has no lame duck mode")
	}
	return d
}

// A node may be drained: of each group one pod goes at a time, and replicas are
// spread over zones and nodes.
func TestDisruptionIsBounded(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		for _, w := range o.workloads() {
			if !w.hopstream() && w.name != "nats" || !w.serves() {
				continue
			}
			n := 0
			for _, b := range o.budgets {
				if s, err := meta.LabelSelectorAsSelector(b.Spec.Selector); err != nil || !s.Matches(labels.Set(w.pod.Labels)) {
					continue
				}
				n++
				if b.Spec.MaxUnavailable.IntValue() != 1 {
					t.Errorf("%s: %s: %+v", variant, w.name, b.Spec)
				}
			}
			if n != 1 {
				t.Errorf("%s: %s has %d disruption budgets; with more than one nothing can be evicted", variant, w.name, n)
			}
			spread := map[string]bool{}
			for _, c := range w.pod.Spec.TopologySpreadConstraints {
				spread[c.TopologyKey] = true
				own := slices.Equal(c.MatchLabelKeys, []string{"app.kubernetes.io/component"})
				if s, err := meta.LabelSelectorAsSelector(c.LabelSelector); err != nil || !s.Matches(labels.Set(w.pod.Labels)) || w.hopstream() != own {
					t.Errorf("%s: %s counts others' pods: %+v", variant, w.name, c)
				}
			}
			if !spread["topology.kubernetes.io/zone"] || !spread["kubernetes.io/hostname"] {
				t.Errorf("%s: %s may run in one place: %v", variant, w.name, spread)
			}
		}
		for _, w := range o.workloads() {
			if w.selector == nil {
				continue
			}
			if s, err := meta.LabelSelectorAsSelector(w.selector); err != nil || !s.Matches(labels.Set(w.pod.Labels)) {
				t.Errorf("%s: %s does not select its own pods", variant, w.name)
			}
		}
	}
}
