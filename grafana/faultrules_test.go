//go:build faults

package grafana

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"go.yaml.in/yaml/v3"
)

// hastened returns the rules of all files, quick, in a file of their own, and the
// alerting ones by name.
func hastened(t *testing.T, every time.Duration) (file string, alerts map[string]quickAlert) {
	t.Helper()
	groups := ruleFiles(t)
	alerts = map[string]quickAlert{}
	for i := range groups.Groups {
		g := &groups.Groups[i]
		g.Interval = model.Duration(every)
		for k := range g.Rules {
			r := &g.Rules[k]
			r.Expr, r.For = hasten(t, r.Expr), r.For/haste
			if r.Alert != "" {
				alerts[r.Alert] = quickAlert{group: g.Name, expr: r.Expr, hold: time.Duration(r.For)}
			}
		}
		g.Rules = append(g.Rules, rulefmt.Rule{Record: evaluations, Expr: "vector(1)", Labels: map[string]string{"group": g.Name}})
	}
	text, err := yaml.Marshal(groups)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "rules.yaml")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file, alerts
}

// quickAlert is an alert as it is run: its group, its expression, and how long that
// must hold.
type quickAlert struct {
	group string
	expr  string
	hold  time.Duration
}
