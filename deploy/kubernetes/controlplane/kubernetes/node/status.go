package node

import (
	"context"
	"log"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// report applies a change to the container's status and writes the pod's.
func (p *pod) report(change func(*core.ContainerStatus)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.status)
	pods := p.host.kube.CoreV1().Pods(p.Namespace)
	for range 5 { // conflicts
		q, err := pods.Get(context.Background(), p.Name, meta.GetOptions{})
		if err != nil || q.UID != p.UID {
			return
		}
		q.Status.Phase, q.Status.PodIP, q.Status.PodIPs, q.Status.StartTime = p.phase(), p.ip, []core.PodIP{{IP: p.ip}}, &p.began
		q.Status.ContainerStatuses = []core.ContainerStatus{p.status}
		q.Status.Conditions = p.conditions(q.Status.Conditions)
		_, err = pods.UpdateStatus(context.Background(), q, meta.UpdateOptions{})
		if !apierrors.IsConflict(err) {
			if err != nil {
				log.Print(err)
			}
			return
		}
	}
}

// phase is Running, unless the process has ended for good.
func (p *pod) phase() core.PodPhase {
	t := p.status.State.Terminated
	switch {
	case t == nil || p.Spec.RestartPolicy == core.RestartPolicyAlways:
		return core.PodRunning
	case t.ExitCode == 0:
		return core.PodSucceeded
	case p.Spec.RestartPolicy == core.RestartPolicyNever:
		return core.PodFailed
	}
	return core.PodRunning
}

func (p *pod) conditions(old []core.PodCondition) (now []core.PodCondition) {
	for _, t := range []core.PodConditionType{core.PodScheduled, core.PodInitialized, core.ContainersReady, core.PodReady} {
		c := core.PodCondition{Type: t, Status: core.ConditionTrue, LastTransitionTime: meta.Now()}
		if (t == core.ContainersReady || t == core.PodReady) && !p.status.Ready {
			c.Status = core.ConditionFalse
		}
		for _, o := range old {
			if o.Type == t && o.Status == c.Status {
				c.LastTransitionTime = o.LastTransitionTime
			}
		}
		now = append(now, c)
	}
	return now
}
