package deploy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryDashboardAndRuleIsMounted holds that compose gives Grafana every
// dashboard, and Prometheus every file of rules.
func TestEveryDashboardAndRuleIsMounted(t *testing.T) {
	t.Parallel()
	compose, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for pattern, folder := range map[string]string{"../grafana/*.json": "/var/lib/grafana/dashboards/", "../grafana/*.yaml": "/etc/prometheus/rules/"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < 2 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, f := range files {
			if filepath.Base(f) == "kustomization.yaml" { // how Kubernetes mounts them
				continue
			}
			if want := "- " + f + ":" + folder + filepath.Base(f) + ":ro\n"; !strings.Contains(string(compose), want) {
				t.Errorf("compose.yaml has no %q", want)
			}
		}
	}
}
