package kubernetes

import (
	"os"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"hopstream/deploy/internal/pipeline"
)

// workload is a Deployment, a StatefulSet or a Job.
type workload struct {
	kind, name string
	replicas   *int32
	selector   *meta.LabelSelector // nil for a Job
	pod        core.PodTemplateSpec
	claims     []core.PersistentVolumeClaim
}

func (w workload) container() core.Container { return w.pod.Spec.Containers[0] }

// hopstream reports whether w runs the program of this repository.
func (w workload) hopstream() bool { return w.pod.Labels["app.kubernetes.io/name"] == "hopstream" }

// serves reports whether w runs until it is told to stop.
func (w workload) serves() bool { return w.kind != "Job" }

func (o *objects) workloads() []workload {
	var all []workload
	for _, d := range o.deployments {
		all = append(all, workload{"Deployment", d.Name, d.Spec.Replicas, d.Spec.Selector, d.Spec.Template, nil})
	}
	for _, s := range o.statefulSets {
		all = append(all, workload{"StatefulSet", s.Name, s.Spec.Replicas, s.Spec.Selector, s.Spec.Template, s.Spec.VolumeClaimTemplates})
	}
	for _, j := range o.jobs {
		all = append(all, workload{"Job", j.Name, nil, nil, j.Spec.Template, nil})
	}
	return all
}

// workers returns what runs stages, by name.
func (o *objects) workers() map[string]workload {
	w := map[string]workload{}
	for _, x := range o.workloads() {
		if x.hopstream() && x.serves() {
			w[x.name] = x
		}
	}
	return w
}

// stagesOf returns the stages that w's arguments name.
func stagesOf(w workload) []string {
	return strings.Split(pipeline.Flag(w.container().Args, "--stages"), ",")
}

func TestEveryStageRunsInOneWorkload(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		in := map[string][]string{}
		for name, w := range o.workers() {
			for _, stage := range stagesOf(w) {
				in[stage] = append(in[stage], name)
			}
		}
		for _, stage := range pipeline.Stages(t, "../../stages/pipeline.go") {
			if len(in[stage]) != 1 {
				t.Errorf("%s: stage %s runs in %v; want exactly one workload", variant, stage, in[stage])
			}
			delete(in, stage)
		}
		if len(in) > 0 {
			t.Errorf("%s: no such stages: %v", variant, in)
		}
	}
}

// The groups are those of compose.yaml.
func TestGroupsAreThoseOfCompose(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct{ Command []string }
	}
	if err := yaml.Unmarshal(data, &compose); err != nil {
		t.Fatal(err)
	}
	for name, w := range render(t, "overlays/small").workers() {
		if want, is := pipeline.Flag(compose.Services[name].Command, "--stages"), pipeline.Flag(w.container().Args, "--stages"); is != want {
			t.Errorf("%s runs %s; in compose.yaml %q", name, is, want)
		}
	}
}
