package telemetry

import (
	"fmt"
	"runtime"
	"runtime/debug"

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

// Build is a program's name, version, Go and platform, in one line.
func Build(program string) string {
	return fmt.Sprintf("%s %s %s %s/%s", program, Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Version is that of the program's module, or unknown.
func Version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "unknown"
}
