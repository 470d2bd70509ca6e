package runner

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"hopstream/messages"
	"hopstream/stages/admission"
)

// TestFiguresOfTenants holds what is told of tenants: that what waits in a lane counts
// with what was read ahead of it, that a tenant which has nothing any more shows 0,
// and that those past the first have one figure together, which is no tenant's.
func TestFiguresOfTenants(t *testing.T) {
	t.Parallel()
	f, reg := newTenantFigures(), prometheus.NewRegistry()
	reg.MustRegister(f.collectors()...)
	f.admit("acme", messages.Interactive, 2*time.Second)
	f.admit("acme", messages.Interactive, -time.Second) // another machine's clock
	f.show(80, map[string]admission.Figures{"acme": {Open: 3, Waiting: 4}}, map[string]int{"acme": 5, "zeta": 6})
	figures := []struct {
		what prometheus.Collector
		want float64
	}{
		{f.window, 80},
		{f.open.WithLabelValues("acme"), 3}, {f.waiting.WithLabelValues("acme"), 9},
		{f.open.WithLabelValues("zeta"), 0}, {f.waiting.WithLabelValues("zeta"), 6},
		{f.admitted.WithLabelValues("acme", "interactive"), 2},
		{f.admitted.WithLabelValues(messages.DefaultTenant, "bulk"), 0},
	}
	for i, c := range figures {
		if got := testutil.ToFloat64(c.what); got != c.want {
			t.Errorf("figure %d: %v, want %v", i, got, c.want)
		}
	}
	f.show(80, nil, nil)
	if got := testutil.ToFloat64(f.open.WithLabelValues("acme")) + testutil.ToFloat64(f.waiting.WithLabelValues("acme")); got != 0 {
		t.Errorf("a tenant that has nothing shows %v", got)
	}
	if got := testutil.CollectAndCount(f.wait); got != len(messages.Priorities()) {
		t.Errorf("%d histograms, want one per priority", got)
	}

	many := map[string]admission.Figures{"other": {Open: 1}}
	f.label("other")
	for i := range maxTenantLabels + 10 {
		many[fmt.Sprintf("t%03d", i)] = admission.Figures{Open: 1}
	}
	f.show(80, many, nil)
	if messages.CheckTenant(otherTenants) == nil {
		t.Errorf("a tenant may be named %s", otherTenants)
	}
	if got := testutil.ToFloat64(f.open.WithLabelValues("other")); got != 1 {
		t.Errorf("the tenant named other: %v", got)
	}
	// acme, zeta, other and default have figures of their own.
	if got, want := testutil.ToFloat64(f.open.WithLabelValues(otherTenants)), float64(10+4); got != want {
		t.Errorf("all others: %v, want %v", got, want)
	}
	if n := testutil.CollectAndCount(f.open); n != maxTenantLabels+1 {
		t.Errorf("%d series", n)
	}
	if problems, err := testutil.GatherAndLint(reg); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range families {
		if m.GetName() == "hopstream_tenant_open" && !strings.Contains(m.GetHelp(), otherTenants) {
			t.Errorf("%s does not say what %s is", m.GetHelp(), otherTenants)
		}
	}
}
