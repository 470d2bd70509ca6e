package node

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// names are the addresses of pods, and what DNS would say of services.
type names struct {
	prefix string

	mu     sync.Mutex
	pods   map[string]string   // addresses by namespace/pod
	lookup map[string][]string // addresses by full name, NAME.NAMESPACE.svc
}

func newNames(prefix string) *names {
	return &names{prefix: prefix, pods: map[string]string{}, lookup: map[string][]string{}}
}

// address returns the pod's, the same for the same name at any time: a pod of a
// StatefulSet comes back where it was.
func (n *names) address(namespace, pod string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.addressLocked(namespace, pod)
}

func (n *names) addressLocked(namespace, pod string) string {
	key := namespace + "/" + pod
	if _, ok := n.pods[key]; !ok {
		i := len(n.pods)
		n.pods[key] = fmt.Sprintf("%s.%d.%d", n.prefix, 1+i/250, 1+i%250)
	}
	return n.pods[key]
}

// learn works the names out anew from what there is.
func (n *names) learn(pods []core.Pod, services []core.Service) {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.lookup)
	for _, s := range services {
		if len(s.Spec.Selector) == 0 {
			continue
		}
		full := s.Name + "." + s.Namespace + ".svc"
		for _, p := range pods {
			if p.Namespace != s.Namespace || !labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(p.Labels)) {
				continue
			}
			if !s.Spec.PublishNotReadyAddresses && !ready(&p) {
				continue
			}
			ip := n.addressLocked(p.Namespace, p.Name)
			n.lookup[full] = append(n.lookup[full], ip)
			if p.Spec.Subdomain == s.Name {
				n.lookup[p.Spec.Hostname+"."+full] = []string{ip}
			}
		}
	}
}

func ready(p *core.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c core.PodCondition) bool {
		return c.Type == core.PodReady && c.Status == core.ConditionTrue
	})
}

// hosts returns a hosts file as a pod of the namespace needs it.
func (n *names) hosts(namespace string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var b strings.Builder
	b.WriteString("127.0.0.1 localhost\n")
	for _, full := range slices.Sorted(maps.Keys(n.lookup)) {
		all := full + " " + full + ".cluster.local"
		if short, ok := strings.CutSuffix(full, "."+namespace+".svc"); ok {
			all += " " + short
		}
		for _, ip := range n.lookup[full] {
			fmt.Fprintf(&b, "%s %s\n", ip, all)
		}
	}
	return b.String()
}

// serveProxy serves an HTTP proxy until ctx ends, for a process that is no pod and
// knows HTTP_PROXY. It fails if it cannot listen.
func (n *names) serveProxy(ctx context.Context, addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		n.mu.Lock()
		ips := n.lookup[strings.TrimSuffix(host, ".cluster.local")]
		n.mu.Unlock()
		if len(ips) > 0 {
			host = ips[0]
		}
		return (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, network, net.JoinHostPort(host, port))
	}
	srv := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: &httputil.ReverseProxy{
		Rewrite: func(*httputil.ProxyRequest) {}, Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true},
	}}
	go func() { _ = srv.Serve(l) }() // ends with Close
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	return nil
}
