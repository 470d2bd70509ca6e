package kubernetes

import (
	"slices"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"

	"hopstream/deploy/internal/pipeline"
)

// Pod Security "restricted", and more: nothing is written outside of volumes, no
// token of the API is mounted, and memory is bounded for Go too.
func TestPodsAreRestricted(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		if len(o.namespaces) != 1 || o.namespaces[0].Labels["pod-security.kubernetes.io/enforce"] != "restricted" {
			t.Errorf("%s: the namespace does not enforce restricted", variant)
		}
		for _, w := range o.workloads() {
			s, c := w.pod.Spec, w.container()
			if len(s.Containers) != 1 || len(s.InitContainers) != 0 {
				t.Fatalf("%s: %s: the tests read one container", variant, w.name)
			}
			if p := s.SecurityContext; p == nil || p.RunAsNonRoot == nil || !*p.RunAsNonRoot || p.RunAsUser == nil || p.SeccompProfile == nil || p.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
				t.Errorf("%s: %s may be root: %+v", variant, w.name, p)
			}
			if p := c.SecurityContext; p == nil || p.ReadOnlyRootFilesystem == nil || !*p.ReadOnlyRootFilesystem || p.AllowPrivilegeEscalation == nil || *p.AllowPrivilegeEscalation || !slices.Equal(p.Capabilities.Drop, []core.Capability{"ALL"}) {
				t.Errorf("%s: %s may more than it needs: %+v", variant, w.name, p)
			}
			if s.AutomountServiceAccountToken == nil || *s.AutomountServiceAccountToken {
				t.Errorf("%s: %s has a token of the API server", variant, w.name)
			}
			if len(w.claims) > 0 && s.SecurityContext.FSGroup == nil {
				t.Errorf("%s: %s cannot write its claims", variant, w.name)
			}
		}
	}
}

func TestMemoryAndProcessorAreBounded(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		for _, w := range o.workloads() {
			r := w.container().Resources
			if r.Limits.Memory().IsZero() || r.Limits.Cpu().IsZero() || r.Requests.Cpu().IsZero() {
				t.Errorf("%s: %s has no limits", variant, w.name)
			}
			if w.name == "ollama" {
				continue // its memory is not Go's
			}
			if share := r.Requests.Memory().AsApproximateFloat64() / r.Limits.Memory().AsApproximateFloat64(); share < 0.85 || share > 0.92 {
				t.Errorf("%s: %s: GOMEMLIMIT, the memory requested, is %.0f %% of the limit", variant, w.name, 100*share)
			}
			i := slices.IndexFunc(w.container().Env, func(e core.EnvVar) bool { return e.Name == "GOMEMLIMIT" })
			if i < 0 || w.container().Env[i].ValueFrom.ResourceFieldRef.Resource != "requests.memory" || w.container().Env[i].ValueFrom.ResourceFieldRef.ContainerName != w.container().Name {
				t.Errorf("%s: %s sets no GOMEMLIMIT", variant, w.name)
			}
			for _, v := range w.pod.Spec.Volumes {
				if v.EmptyDir != nil && v.EmptyDir.SizeLimit.IsZero() {
					t.Errorf("%s: %s: volume %s has no limit", variant, w.name, v.Name)
				}
			}
		}
	}
}

// Every volume that is mounted exists, and what a process writes is a volume of
// its replica alone: two processes must not open one data folder.
func TestReplicasShareNoDataFolder(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		for _, w := range o.workloads() {
			own := map[string]bool{}
			all := map[string]bool{}
			for _, v := range w.pod.Spec.Volumes {
				own[v.Name], all[v.Name] = v.EmptyDir != nil, true
			}
			for _, c := range w.claims {
				own[c.Name], all[c.Name] = true, true
			}
			data := pipeline.Flag(w.container().Args, "--data")
			for _, m := range w.container().VolumeMounts {
				if !all[m.Name] {
					t.Errorf("%s: %s mounts %s, which it does not have", variant, w.name, m.Name)
				}
				if m.MountPath == data && own[m.Name] {
					data = ""
				}
			}
			if w.hopstream() && data != "" {
				t.Errorf("%s: %s: %s is no volume of its own", variant, w.name, data)
			}
		}
	}
}

// Power and zones: the production cluster loses nothing that it acknowledged.
func TestProductionKeepsWhatItAcknowledges(t *testing.T) {
	t.Parallel()
	o := render(t, "overlays/production")
	conf := o.configMap(t, "nats")["jetstream.conf"]
	for _, line := range []string{"sync_interval: always", "verify: true", "include users.conf"} {
		if !strings.Contains(conf, line) {
			t.Errorf("jetstream.conf lacks %q", line)
		}
	}
	for _, w := range o.workloads() {
		if w.name == "nats" && *w.replicas != 3 {
			t.Errorf("%d servers", *w.replicas)
		}
		if w.name != "nats" && w.serves() && w.replicas != nil {
			t.Errorf("%s: replicas in the manifest undo the autoscaler's at every apply", w.name)
		}
	}
	if env := o.configMap(t, "hopstream"); env["HOPSTREAM_NATS__REPLICAS"] != "3" || !strings.HasPrefix(env["HOPSTREAM_NATS__URL"], "tls://") {
		t.Errorf("settings: %v", env)
	}
}

// Each group mounts its own user's seed, and no other's.
func TestEachGroupHasItsOwnUser(t *testing.T) {
	t.Parallel()
	for _, w := range render(t, "overlays/production").workloads() {
		var secrets []string
		for _, v := range w.pod.Spec.Volumes {
			if v.Projected != nil {
				for _, s := range v.Projected.Sources {
					if s.Secret != nil {
						secrets = append(secrets, s.Secret.Name)
					}
				}
			}
		}
		want := []string{"nats-ca", "nats-" + w.name}
		if !w.hopstream() {
			want = []string{"nats-tls"}
		}
		if !slices.Equal(secrets, want) {
			t.Errorf("%s mounts %v; want %v", w.name, secrets, want)
		}
		if i := slices.IndexFunc(w.container().Env, func(e core.EnvVar) bool { return e.Name == "HOPSTREAM_NATS__NKEY" }); w.hopstream() && (i < 0 || w.container().Env[i].Value != "/etc/hopstream/"+w.name+".nk") {
			t.Errorf("%s does not read its seed", w.name)
		}
	}
}
