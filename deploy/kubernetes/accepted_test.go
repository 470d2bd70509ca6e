//go:build k8s

package kubernetes

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A real API server takes everything as it is: no field that it does not know, no
// deprecated version, no pod that Pod Security refuses; a warning is an error.
// Then the secured production overlay runs, as the README makes it: three servers
// in three zones, TLS, a user for each group, and a question answered.
func TestProductionRuns(t *testing.T) {
	c := newCluster(t)
	c.applyDefinitions(binaries(t))
	start := time.Now()
	c.followREADME()
	t.Logf("%5.1f s from nothing to streams, consumers and objects of KEDA", time.Since(start).Seconds())
	for _, d := range []string{"router", "reason", "read"} {
		c.ready("deployment", d, 1)
	}
	c.ready("statefulset", "nats", 3)
	c.ready("statefulset", "retriever", 1)
	t.Logf("%5.1f s until all are ready", time.Since(start).Seconds())
	for _, dir := range []string{"scaling/lag", "scaling/prometheus", "scaling/lag-model", "scaling/prometheus-model"} {
		c.Kubectl("apply", "--server-side", "--force-conflicts", "-k", dir, "--dry-run=server")
	}
	c.optional()
	c.restricted()
	c.spread()
	c.hop("index", "../../index/sample/corpus.jsonl")
	if out := c.hop("ask", "--timeout", "1m", "What is polonium named after?"); !strings.Contains(out, "Poland") {
		t.Errorf("asked, it said: %s", out)
	}
	c.copies(3)
	if out, err := exec.CommandContext(t.Context(), c.program, "status", "--nats", c.nats(), "--data", t.TempDir()).CombinedOutput(); err == nil {
		t.Errorf("a stranger is let in: %s", out)
	}
}

// copies checks that every stream has n, also after clients that know nothing of it.
func (c *cluster) copies(n int) {
	c.t.Helper()
	streams := c.streams("config=true")
	for _, s := range streams {
		if s.Config.Replicas != n {
			c.t.Errorf("stream %s has %d copies", s.Name, s.Config.Replicas)
		}
	}
	if len(streams) < 10 {
		c.t.Errorf("%d streams only", len(streams))
	}
}

// applyDefinitions applies what KEDA and the Prometheus operator bring.
func (c *cluster) applyDefinitions(bin string) {
	c.t.Helper()
	c.Kubectl("apply", "--server-side", "-f", filepath.Join(bin, "keda-config/crd/bases"))
	for _, kind := range []string{"podmonitors", "prometheusrules"} {
		c.Kubectl("apply", "--server-side", "-f", filepath.Join(bin, "prometheus-crds", "monitoring.coreos.com_"+kind+".yaml"))
	}
}

// optional applies every component to both overlays, without effect.
func (c *cluster) optional() {
	c.t.Helper()
	for _, overlay := range []string{"small", "production"} {
		for _, component := range []string{"model", "ollama", "weaviate"} {
			dir, err := os.MkdirTemp(".", "top-") // kustomize wants it among the others
			if err != nil {
				c.t.Fatal(err)
			}
			k := fmt.Sprintf("resources: [../overlays/%s]\ncomponents: [../components/%s]\n", overlay, component)
			err = os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(k), 0o600)
			if err == nil {
				// A Job that runs already cannot be changed; the rest is compared.
				_, err = c.Try("apply", "--server-side", "--force-conflicts", "-k", dir, "--dry-run=server", "-l", "app.kubernetes.io/component!=setup")
			}
			_ = os.RemoveAll(dir)
			if err != nil && !immutable(err) {
				c.t.Errorf("%s with %s: %v", overlay, component, err)
			}
		}
	}
}

// immutable reports whether all that is wrong is that claims cannot be changed.
func immutable(err error) bool {
	for line := range strings.Lines(err.Error()) {
		if strings.TrimSpace(line) != "" && !strings.Contains(line, "updates to statefulset spec") && !strings.Contains(line, "exit status 1:") {
			return false
		}
	}
	return true
}

// restricted checks that the namespace refuses a pod that could become root.
func (c *cluster) restricted() {
	c.t.Helper()
	if _, err := c.Try("-n", "hopstream", "run", "root", "--image=hopstream", "--restart=Never"); err == nil || !strings.Contains(err.Error(), "violates PodSecurity") {
		c.t.Errorf("a pod that may be root: %v", err)
	}
}

// spread checks that the servers are in three zones.
func (c *cluster) spread() {
	c.t.Helper()
	var pods struct {
		Items []struct{ Spec struct{ NodeName string } }
	}
	if err := json.Unmarshal([]byte(c.Kubectl("-n", "hopstream", "get", "pods", "-l", "app.kubernetes.io/name=nats", "-o", "json")), &pods); err != nil {
		c.t.Fatal(err)
	}
	nodes := map[string]bool{}
	for _, p := range pods.Items {
		nodes[p.Spec.NodeName] = true
	}
	if len(nodes) != 3 {
		c.t.Errorf("the servers are on %v", nodes)
	}
}

// followREADME runs the README's commands that a plane can run: certificates, users,
// secrets, and all that is applied. What warns, fails.
func (c *cluster) followREADME() {
	c.t.Helper()
	c.secured = c.t.TempDir()
	ran := 0
	for _, line := range commands(c.t) {
		here := strings.HasPrefix(line, "openssl ") || strings.HasPrefix(line, "hopstream nats ")
		there := strings.Contains(line, "kubectl ") && !strings.Contains(line, "port-forward")
		if !here && !there {
			continue
		}
		ran++
		cmd := exec.CommandContext(c.t.Context(), "bash", "-euc", c.shell()+strings.ReplaceAll(line, "deploy/kubernetes/", "$MANIFESTS/"))
		cmd.Dir = c.secured
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "Warning") {
			c.t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	if ran < 11 {
		c.t.Fatalf("only %d commands were run", ran)
	}
}

// shell defines the README's programs as those of the test.
func (c *cluster) shell() string {
	here, err := filepath.Abs(".")
	if err != nil {
		c.t.Fatal(err)
	}
	return fmt.Sprintf("MANIFESTS=%s; export KUBECONFIG=%s; kubectl() { %s kubectl \"$@\"; }; hopstream() { %s \"$@\"; };\n",
		here, c.Kubeconfig, filepath.Join(binaries(c.t), "kubernetes"), c.program)
}
