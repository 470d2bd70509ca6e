package node

import (
	"context"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pod is a pod of one container, running as a process.
type pod struct {
	*core.Pod
	host  *host
	ip    string
	home  string // its folder; root is in it
	ctx   context.Context
	end   context.CancelFunc // asks it to end
	began meta.Time

	mu     sync.Mutex
	status core.ContainerStatus
}

func newPod(h *host, p *core.Pod) *pod {
	q := &pod{Pod: p, host: h, ip: h.names.address(p.Namespace, p.Name), home: filepath.Join(h.dir, "pods", string(p.UID)), began: meta.Now()}
	q.ctx, q.end = context.WithCancel(context.Background())
	c := p.Spec.Containers[0]
	q.status = core.ContainerStatus{Name: c.Name, Image: c.Image, State: core.ContainerState{Waiting: &core.ContainerStateWaiting{Reason: "ContainerCreating"}}}
	return q
}

func (p *pod) container() *core.Container { return &p.Spec.Containers[0] }
func (p *pod) root() string               { return filepath.Join(p.home, "root") }

// run runs the pod's process, again and again as its restart policy says, until
// it is done or asked to end; then it gives claims back and deletes the object.
func (p *pod) run() {
	for p.ctx.Err() == nil {
		cmd, err := p.command(p.ctx)
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			p.report(func(s *core.ContainerStatus) {
				s.State = core.ContainerState{Waiting: &core.ContainerStateWaiting{Reason: "CreateContainerError", Message: err.Error()}}
			})
		} else if p.follow(cmd) {
			break
		}
		select {
		case <-p.ctx.Done():
		case <-time.After(time.Second):
		}
	}
	<-p.ctx.Done() // a finished Job's pod stays until it is deleted
	p.unmount()
	remove(p.host.kube, p.Pod)
	_ = os.RemoveAll(p.home)
}

// follow waits for a started process and reports whether the pod is over with it.
func (p *pod) follow(cmd *exec.Cmd) (over bool) {
	p.report(func(s *core.ContainerStatus) {
		no := p.container().StartupProbe == nil
		s.Started, s.Ready = &no, no && p.container().ReadinessProbe == nil
		s.State = core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: meta.Now()}}
	})
	live, stop := context.WithCancel(p.ctx)
	var probes sync.WaitGroup
	probes.Go(func() { p.probe(live, cmd) })
	done := make(chan struct{})
	go func() { // ends with the process
		_ = cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-p.ctx.Done():
		p.terminate(cmd, done)
	}
	stop()
	probes.Wait()
	code := int32(cmd.ProcessState.ExitCode())
	policy := p.Spec.RestartPolicy
	over = p.ctx.Err() != nil || policy == core.RestartPolicyNever || policy == core.RestartPolicyOnFailure && code == 0
	p.report(func(s *core.ContainerStatus) {
		s.Ready, s.LastTerminationState = false, core.ContainerState{Terminated: &core.ContainerStateTerminated{ExitCode: code, FinishedAt: meta.Now(), Reason: "Exited"}}
		s.State = s.LastTerminationState
		if !over {
			s.RestartCount++
		}
	})
	return over
}

// terminate asks a process to end, after its preStop command, and kills it when
// the pod's grace period is over.
func (p *pod) terminate(cmd *exec.Cmd, done <-chan struct{}) {
	late := time.NewTimer(time.Duration(*p.Spec.TerminationGracePeriodSeconds) * time.Second)
	defer late.Stop()
	if h := p.container().Lifecycle; h != nil && h.PreStop != nil && h.PreStop.Exec != nil {
		if hook, err := p.process(cmd.Env, h.PreStop.Exec.Command[0], h.PreStop.Exec.Command[1:]); err == nil {
			if err := hook.Run(); err != nil {
				log.Printf("%s: preStop: %v", p.Name, err)
			}
		}
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-done:
	case <-late.C:
		log.Printf("%s: killed after its grace period", p.Name)
		_ = cmd.Process.Kill()
		<-done
	}
}
