package runner

import (
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hopstream/messages"
	"hopstream/stages/admission"
)

// maxTenantLabels is how many tenants have figures of their own; those of all others
// are told together.
const maxTenantLabels = 200

// otherTenants stands for tenants without figures of their own. No tenant is named
// so: names begin with a letter or a digit (messages.CheckTenant).
const otherTenants = "_other"

// tenantFigures are those of admission.
type tenantFigures struct {
	open, waiting *prometheus.GaugeVec
	admitted      *prometheus.CounterVec
	wait          *prometheus.HistogramVec
	window        prometheus.Gauge

	mu     sync.Mutex // guards labels
	labels map[string]bool
}

func newTenantFigures() *tenantFigures {
	f := &tenantFigures{labels: map[string]bool{},
		open:     prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "hopstream_tenant_open", Help: fmt.Sprintf("Questions that this router has admitted and that have not ended, by tenant; those past the first %d tenants under %s.", maxTenantLabels, otherTenants)}, []string{"tenant"}),
		waiting:  prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "hopstream_tenant_waiting", Help: "Questions that wait in their lanes to be admitted, by tenant. Every router tells it of all, as far as it knows."}, []string{"tenant"}),
		admitted: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "hopstream_tenant_admitted_total", Help: "Questions admitted to the pipeline."}, []string{"tenant", "priority"}),
		wait:     prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "hopstream_tenant_wait_seconds", Help: "Time from stored to admitted question.", Buckets: latencyBuckets}, []string{"priority"}),
		window:   prometheus.NewGauge(prometheus.GaugeOpts{Name: "hopstream_admission_window", Help: "Questions that this router may have admitted and unfinished; 0 where questions are worked on as they come."}),
	}
	for _, p := range messages.Priorities() {
		f.wait.WithLabelValues(string(p))
		f.admitted.WithLabelValues(f.label(messages.DefaultTenant), string(p))
	}
	return f
}

func (f *tenantFigures) collectors() []prometheus.Collector {
	return []prometheus.Collector{f.open, f.waiting, f.admitted, f.wait, f.window}
}

// label is the tenant's name, or otherTenants.
func (f *tenantFigures) label(tenant string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.labels[tenant] {
		if len(f.labels) >= maxTenantLabels {
			return otherTenants
		}
		f.labels[tenant] = true
	}
	return tenant
}

// admit counts an admitted question.
func (f *tenantFigures) admit(tenant string, p messages.Priority, waited time.Duration) {
	f.admitted.WithLabelValues(f.label(tenant), string(p)).Inc()
	f.wait.WithLabelValues(string(p)).Observe(max(0, waited).Seconds())
}

// show sets what is so now. Tenants that have nothing keep a figure of 0.
func (f *tenantFigures) show(window int, tenants map[string]admission.Figures, pending map[string]int) {
	f.window.Set(float64(window))
	open, waiting := map[string]int{}, map[string]int{}
	for name, t := range tenants {
		open[f.label(name)] += t.Open
		waiting[f.label(name)] += t.Waiting
	}
	for name, n := range pending {
		waiting[f.label(name)] += n
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	names := []string{otherTenants}
	for name := range f.labels {
		names = append(names, name)
	}
	for _, name := range names {
		f.open.WithLabelValues(name).Set(float64(open[name]))
		f.waiting.WithLabelValues(name).Set(float64(waiting[name]))
	}
}
