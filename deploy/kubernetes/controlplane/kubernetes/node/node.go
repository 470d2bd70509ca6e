// Package node is nodes of a cluster whose pods are plain processes: no
// containers, and no network of their own. An image is a binary (--image
// NAME=PATH); a pod runs in a folder that is its root (chroot), as the user that
// it names, with its volumes where it mounts them; its address is one of
// loopback's, and "0.0.0.0" in arguments, environment and config maps is replaced
// by it. Names that DNS would resolve stand in its /etc/hosts.
//
// Real: arguments, environment, config maps, secrets, claims and other volumes,
// users and read-only roots, HTTP probes, preStop commands, SIGTERM and the grace
// period, restarts, Jobs. Not: images, isolation, limits, network policies, init
// containers and sidecars, exec probes.
//
//	node.go     nodes kept alive; pods found and started
//	pod.go      a pod's life
//	root.go     its folder, and the process in it
//	volumes.go  what is mounted there
//	claims.go   volumes for claims
//	env.go      its environment
//	probe.go    whether it has started, is ready, lives
//	status.go   what is told of it
//	names.go    addresses, names, and a proxy for processes that are no pods
package node

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
)

// host is the machine: all its nodes and their pods.
type host struct {
	kube   kubernetes.Interface
	dir    string            // of roots, claims and logs
	images map[string]string // binaries by image
	nodes  map[string]string // zones by node
	names  *names

	provided map[types.UID]bool // claims
}

// NewCommand returns the command that runs nodes until a signal.
func NewCommand() *cobra.Command {
	h := &host{provided: map[types.UID]bool{}}
	var kubeconfig, network, proxy string
	cmd := &cobra.Command{Use: "node", Short: "Run nodes whose pods are processes", RunE: func(cmd *cobra.Command, _ []string) error {
		cfg, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
		if err != nil {
			return err
		}
		cfg.QPS, cfg.Burst = 200, 400
		if h.kube, err = kubernetes.NewForConfig(cfg); err != nil {
			return err
		}
		h.names = newNames(network)
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if proxy != "" {
			if err := h.names.serveProxy(ctx, proxy); err != nil {
				return err
			}
		}
		return h.run(ctx)
	}}
	f := cmd.Flags()
	f.StringVar(&kubeconfig, "kubeconfig", os.Getenv("KUBECONFIG"), "credentials of the API server")
	f.StringVar(&h.dir, "dir", "", "folder of volumes and logs")
	f.StringToStringVar(&h.images, "image", nil, "NAME=BINARY")
	f.StringToStringVar(&h.nodes, "node", map[string]string{"node": "zone"}, "NAME=ZONE")
	f.StringVar(&network, "net", "127.77", "first two bytes of the pods' addresses")
	f.StringVar(&proxy, "proxy", "", "address of an HTTP proxy that knows the pods' names")
	return cmd
}

// run keeps the nodes alive and their pods running until ctx ends, then ends the
// pods. It fails if a node cannot be registered.
func (h *host) run(ctx context.Context) error {
	for name, zone := range h.nodes {
		if err := h.register(ctx, name, zone); err != nil {
			return fmt.Errorf("node %s: %w", name, err)
		}
		go h.beat(ctx, name) // ends with ctx
	}
	running := map[types.UID]*pod{}
	var wg sync.WaitGroup
	for tick := time.NewTicker(300 * time.Millisecond); ctx.Err() == nil; { // a list is enough for a test
		select {
		case <-ctx.Done():
		case <-tick.C:
			h.provide(ctx)
			h.look(ctx, running, &wg)
		}
	}
	for _, p := range running {
		p.end()
	}
	wg.Wait()
	return nil
}

// look starts pods that are new here and ends those that are to go.
func (h *host) look(ctx context.Context, running map[types.UID]*pod, wg *sync.WaitGroup) {
	list, err := h.kube.CoreV1().Pods("").List(ctx, meta.ListOptions{})
	if err != nil {
		return
	}
	services, err := h.kube.CoreV1().Services("").List(ctx, meta.ListOptions{})
	if err != nil {
		return
	}
	h.names.learn(list.Items, services.Items)
	seen := map[types.UID]bool{}
	for i := range list.Items {
		p := &list.Items[i]
		if _, ours := h.nodes[p.Spec.NodeName]; !ours {
			continue
		}
		seen[p.UID] = true
		q := running[p.UID]
		switch {
		case q == nil && p.DeletionTimestamp != nil:
			remove(h.kube, p)
		case q == nil && p.Status.Phase == core.PodPending:
			q = newPod(h, p)
			running[p.UID] = q
			wg.Go(q.run)
		case q != nil && p.DeletionTimestamp != nil:
			q.end()
		case q != nil:
			q.setHosts()
		}
	}
	for id, q := range running {
		if !seen[id] {
			q.end()
			delete(running, id)
		}
	}
}

func (h *host) register(ctx context.Context, name, zone string) error {
	room := core.ResourceList{"cpu": resource.MustParse("64"), "memory": resource.MustParse("256Gi"), "pods": resource.MustParse("110"), "ephemeral-storage": resource.MustParse("100Gi")}
	_, err := h.kube.CoreV1().Nodes().Create(ctx, &core.Node{ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{
		"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "topology.kubernetes.io/zone": zone}}}, meta.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error { // the node's controller writes too
		n, err := h.kube.CoreV1().Nodes().Get(ctx, name, meta.GetOptions{})
		if err != nil {
			return err
		}
		n.Status = core.NodeStatus{Capacity: room, Allocatable: room, Conditions: []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue,
			Reason: "Processes", LastHeartbeatTime: meta.Now(), LastTransitionTime: meta.Now()}}}
		_, err = h.kube.CoreV1().Nodes().UpdateStatus(ctx, n, meta.UpdateOptions{})
		return err
	})
}

// beat renews the node's lease, which alone keeps it Ready, until ctx ends.
func (h *host) beat(ctx context.Context, name string) {
	leases, seconds := h.kube.CoordinationV1().Leases("kube-node-lease"), int32(40)
	for tick := time.NewTicker(10 * time.Second); ; {
		now := meta.NowMicro()
		spec := coordination.LeaseSpec{HolderIdentity: &name, LeaseDurationSeconds: &seconds, RenewTime: &now}
		l, err := leases.Get(ctx, name, meta.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			_, err = leases.Create(ctx, &coordination.Lease{ObjectMeta: meta.ObjectMeta{Name: name}, Spec: spec}, meta.CreateOptions{})
		case err == nil:
			l.Spec = spec // a lease is updated by who says which one it is
			_, err = leases.Update(ctx, l, meta.UpdateOptions{})
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "lease of node %s: %v\n", name, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// binary returns what runs for an image.
func (h *host) binary(image string) (string, error) {
	for name, path := range h.images {
		if image == name || strings.HasPrefix(image, name+":") || strings.HasPrefix(image, name+"@") {
			return path, nil
		}
	}
	return "", fmt.Errorf("no binary for image %s", image)
}

// remove deletes the object of a pod that has ended.
func remove(kube kubernetes.Interface, p *core.Pod) {
	_ = kube.CoreV1().Pods(p.Namespace).Delete(context.Background(), p.Name, meta.DeleteOptions{GracePeriodSeconds: new(int64), Preconditions: &meta.Preconditions{UID: &p.UID}})
}
