package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// NewRegistry returns a registry with the figures of the process and its build.
func NewRegistry() *prometheus.Registry {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "hopstream_build_info", Help: "Always 1; the labels tell the build.",
		ConstLabels: prometheus.Labels{"version": Version()},
	})
	info.Set(1)
	reg.MustRegister(info)
	return reg
}
