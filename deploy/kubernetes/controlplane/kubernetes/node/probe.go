package node

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"syscall"
	"time"

	core "k8s.io/api/core/v1"
)

// probe asks the process whether it has started; then whether it is ready, and
// alive, until ctx ends. One that is not is asked to end.
func (p *pod) probe(ctx context.Context, cmd *exec.Cmd) {
	c := p.container()
	if s := c.StartupProbe; s != nil {
		for failures := int32(0); !p.get(ctx, s); {
			if failures++; failures >= s.FailureThreshold && ctx.Err() == nil {
				_ = cmd.Process.Signal(syscall.SIGTERM)
				return
			}
			if !pause(ctx, period(s)) {
				return
			}
		}
		yes := true
		p.report(func(s *core.ContainerStatus) { s.Started, s.Ready = &yes, c.ReadinessProbe == nil })
	}
	go p.watch(ctx, c.LivenessProbe, func(ok bool) { // ends with ctx
		if !ok {
			_ = cmd.Process.Signal(syscall.SIGTERM)
		}
	})
	p.watch(ctx, c.ReadinessProbe, func(ok bool) { p.report(func(s *core.ContainerStatus) { s.Ready = ok }) })
}

// watch tells each change of what a probe says, until ctx ends.
func (p *pod) watch(ctx context.Context, probe *core.Probe, say func(bool)) {
	if probe == nil {
		return
	}
	was, failures := false, int32(0)
	for first := true; ; first = false {
		ok := p.get(ctx, probe)
		if ctx.Err() != nil {
			return
		}
		if failures++; ok {
			failures = 0
		}
		if is := ok || was && failures < probe.FailureThreshold; is != was || first && is {
			was = is
			say(is)
		}
		if !pause(ctx, period(probe)) {
			return
		}
	}
}

func period(p *core.Probe) time.Duration { return time.Duration(p.PeriodSeconds) * time.Second }

// get asks a probe's address once.
func (p *pod) get(ctx context.Context, probe *core.Probe) bool {
	if probe.HTTPGet == nil {
		return true
	}
	port := probe.HTTPGet.Port.String()
	for _, q := range p.container().Ports {
		if q.Name == port {
			port = fmt.Sprint(q.ContainerPort)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(probe.TimeoutSeconds)*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(p.ip, port)+probe.HTTPGet.Path, nil)
	if err != nil {
		return false
	}
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = r.Body.Close()
	return r.StatusCode >= 200 && r.StatusCode < 400
}

// pause waits for d and reports whether ctx is still alive.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
