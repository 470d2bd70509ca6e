package kubernetes

import (
	"bytes"
	goflag "flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

var update = goflag.Bool("update", false, "write the rules of components/monitoring")

// The rules are grafana's, in the operator's object. Kustomize cannot put one file
// into another, so this test writes them (-update) and compares.
func TestRulesAreGrafanas(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"alerts.yaml", "slo.yaml"} {
		rules, err := os.ReadFile(filepath.Join("../../grafana", name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("components/monitoring", name)
		if *update {
			if err := os.WriteFile(file, ruleObject(name, rules), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, ruleObject(name, rules)) {
			t.Errorf("%s is not what grafana/%s says: run this test with -args -update (%v)", file, name, err)
		}
	}
}

// ruleObject puts a file of rules into an object of the operator.
func ruleObject(name string, rules []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Made from grafana/%s by `go test ./kubernetes -run TestRules -args -update`.\n"+
		"apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: { name: hopstream-%s, namespace: hopstream }\nspec:\n",
		name, strings.TrimSuffix(name, ".yaml"))
	for line := range strings.Lines(string(rules)) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.Bytes()
}

// Rendered, there is an object for each file of rules, and the dashboards are where
// the sidecar of kube-prometheus-stack's Grafana looks for them.
func TestMonitoringCarriesAll(t *testing.T) {
	t.Parallel()
	o := variants(t)["production"]
	rules := map[string]bool{}
	for _, x := range o.others {
		if x["kind"] == "PrometheusRule" {
			rules[x["metadata"].(map[string]any)["name"].(string)] = true
		}
	}
	for _, file := range grafanas(t, "yaml") {
		if file != "kustomization" && !rules["hopstream-"+file] {
			t.Errorf("no object has the rules of grafana/%s.yaml", file)
		}
	}
	i := slices.IndexFunc(o.configMaps, func(c *core.ConfigMap) bool { return c.Labels["grafana_dashboard"] == "1" })
	if i < 0 {
		t.Fatal("no dashboards")
	}
	boards := o.configMaps[i]
	for _, file := range grafanas(t, "json") {
		if boards.Data[file+".json"] == "" {
			t.Errorf("the dashboard %s is not there", file)
		}
	}
	size := 0
	for _, b := range boards.Data {
		size += len(b)
	}
	if size > 900<<10 {
		t.Errorf("%d bytes of dashboards are more than an object may have", size)
	}
}

// grafanas returns the names of grafana's files with an extension, without it.
func grafanas(t *testing.T, ext string) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../../grafana/*." + ext)
	if err != nil || len(files) < 3 {
		t.Fatalf("grafana/*.%s: %v, %v", ext, files, err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), "."+ext))
	}
	return names
}

// Prometheus' job is the alerts' and the dashboards': "hopstream".
func TestPodMonitorFindsEveryWorker(t *testing.T) {
	t.Parallel()
	o := variants(t)["production"]
	i := slices.IndexFunc(o.others, func(x map[string]any) bool { return x["kind"] == "PodMonitor" })
	if i < 0 {
		t.Fatal("no PodMonitor")
	}
	data, err := yaml.Marshal(o.others[i]["spec"])
	if err != nil {
		t.Fatal(err)
	}
	var spec struct {
		JobLabel string
		Selector struct{ MatchLabels map[string]string }
		Ends     []struct{ Port string } `json:"podMetricsEndpoints"`
	}
	if err := yaml.UnmarshalStrict(data, &spec); err != nil && len(spec.Ends) == 0 {
		t.Fatal(err)
	}
	for name, w := range o.workers() {
		for k, v := range spec.Selector.MatchLabels {
			if w.pod.Labels[k] != v {
				t.Errorf("%s is not selected", name)
			}
		}
		if w.pod.Labels[spec.JobLabel] != "hopstream" || w.container().Ports[0].Name != spec.Ends[0].Port {
			t.Errorf("%s is scraped as job %q on port %s", name, w.pod.Labels[spec.JobLabel], spec.Ends[0].Port)
		}
	}
}

// Versions stand in one file; that they are those of ../.env, its tests hold.
func TestImagesArePinnedInOnePlace(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("images/kustomization.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var pins struct {
		Images []struct{ Name, NewName, NewTag, Digest string }
	}
	if err := yaml.Unmarshal(data, &pins); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, p := range pins.Images {
		image := p.NewName + ":" + p.NewTag
		known[image] = true
		if p.NewTag == "" || p.NewTag == "latest" {
			t.Errorf("%s is not pinned", p.Name)
		}
	}
	for variant, o := range variants(t) {
		for _, w := range o.workloads() {
			if image := w.container().Image; !known[image] {
				t.Errorf("%s: %s runs %s, which images/kustomization.yaml does not pin", variant, w.name, image)
			}
		}
	}
}

// Weaviate is told the same as in compose.yaml.
func TestWeaviateIsThatOfCompose(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct{ Environment map[string]string }
	}
	if err := yaml.Unmarshal(data, &compose); err != nil {
		t.Fatal(err)
	}
	for _, w := range variants(t)["small with weaviate"].workloads() {
		if w.name != "weaviate" {
			continue
		}
		is := map[string]string{}
		for _, e := range w.container().Env {
			is[e.Name] = e.Value
		}
		for k, v := range compose.Services["weaviate"].Environment {
			if is[k] != v {
				t.Errorf("%s=%q; in compose.yaml %q", k, is[k], v)
			}
		}
		return
	}
	t.Error("no Weaviate")
}
