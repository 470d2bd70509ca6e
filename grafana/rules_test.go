package grafana

import (
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/common/promslog"
	"github.com/prometheus/prometheus/model/rulefmt"
)

// ruleFiles returns the groups of all rule files, checked as Prometheus checks
// them when it reads a file: unknown fields, expressions and templates.
func ruleFiles(t *testing.T) *rulefmt.RuleGroups {
	t.Helper()
	all := &rulefmt.RuleGroups{}
	for _, file := range []string{"alerts.yaml", "slo.yaml"} {
		groups, errs := rulefmt.ParseFile(file, false, model.UTF8Validation, promqlParser(), promslog.NewNopLogger())
		for _, err := range errs {
			t.Error(err)
		}
		if groups == nil {
			t.FailNow()
		}
		all.Groups = append(all.Groups, groups.Groups...)
	}
	return all
}

// rules returns every rule, those that record and those that alert.
func rules(t *testing.T) []rulefmt.Rule {
	t.Helper()
	var all []rulefmt.Rule
	for _, g := range ruleFiles(t).Groups {
		all = append(all, g.Rules...)
	}
	return all
}
