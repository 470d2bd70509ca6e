package kubernetes

import (
	"fmt"
	"slices"
	"testing"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// peer is a pod somewhere: its namespace's and its own labels.
type peer struct {
	name          string
	namespace, is labels.Set
}

// peers are the variant's pods and those of others, good and bad.
func (o *objects) peers() []peer {
	inside := labels.Set{"kubernetes.io/metadata.name": "hopstream"}
	var all []peer
	for _, w := range o.workloads() {
		all = append(all, peer{w.name, inside, w.pod.Labels})
	}
	namespace := func(name string, more ...string) labels.Set {
		s := labels.Set{"kubernetes.io/metadata.name": name}
		for _, m := range more {
			s[m] = "true"
		}
		return s
	}
	return append(all,
		peer{"dns", namespace("kube-system"), labels.Set{"k8s-app": "kube-dns"}},
		peer{"keda", namespace("keda"), labels.Set{"app": "keda-operator"}},
		peer{"prometheus", namespace("monitoring"), labels.Set{}},
		peer{"client", namespace("shop", "hopstream-client"), labels.Set{}},
		peer{"stranger", namespace("other"), labels.Set{"app.kubernetes.io/name": "hopstream", "app": "keda-operator"}},
		peer{"neighbour", inside, labels.Set{"app": "other"}})
}

// allows works out from the policies whether a connection may be made: some policy
// of the one side must let it out and some of the other must let it in.
func (o *objects) allows(t *testing.T, from, to peer, port int) bool {
	t.Helper()
	out, in := !o.isolated(t, from, networking.PolicyTypeEgress), !o.isolated(t, to, networking.PolicyTypeIngress)
	for _, p := range o.policies {
		if selected(t, p, from) {
			for _, r := range p.Spec.Egress {
				out = out || matches(t, r.To, to) && has(r.Ports, port)
			}
		}
		if selected(t, p, to) {
			for _, r := range p.Spec.Ingress {
				in = in || matches(t, r.From, from) && has(r.Ports, port)
			}
		}
	}
	return out && in
}

func (o *objects) isolated(t *testing.T, x peer, side networking.PolicyType) bool {
	t.Helper()
	return slices.ContainsFunc(o.policies, func(p *networking.NetworkPolicy) bool {
		return selected(t, p, x) && slices.Contains(p.Spec.PolicyTypes, side)
	})
}

func selected(t *testing.T, p *networking.NetworkPolicy, x peer) bool {
	t.Helper()
	return x.namespace["kubernetes.io/metadata.name"] == p.Namespace && selects(t, &p.Spec.PodSelector, x.is)
}

func selects(t *testing.T, s *meta.LabelSelector, set labels.Set) bool {
	t.Helper()
	x, err := meta.LabelSelectorAsSelector(s)
	if err != nil {
		t.Fatal(err)
	}
	return x.Matches(set)
}

// matches reports whether one of peers means x; blocks of addresses mean none.
func matches(t *testing.T, peers []networking.NetworkPolicyPeer, x peer) bool {
	t.Helper()
	return slices.ContainsFunc(peers, func(p networking.NetworkPolicyPeer) bool {
		if p.IPBlock != nil {
			return false
		}
		space := x.namespace["kubernetes.io/metadata.name"] == "hopstream"
		if p.NamespaceSelector != nil {
			space = selects(t, p.NamespaceSelector, x.namespace)
		}
		return space && (p.PodSelector == nil || selects(t, p.PodSelector, x.is))
	})
}

func has(ports []networking.NetworkPolicyPort, port int) bool {
	return len(ports) == 0 || slices.ContainsFunc(ports, func(p networking.NetworkPolicyPort) bool { return p.Port.IntValue() == port })
}

// The connections that are allowed are those that are used, and no others.
func TestNetworkPoliciesAllowWhatIsUsed(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		want := map[string]bool{"nats→nats:6222": true, "keda→nats:8222": true, "client→nats:4222": true}
		for _, w := range o.workloads() {
			want[w.name+"→dns:53"] = true
			if !w.hopstream() {
				continue
			}
			want[w.name+"→nats:4222"] = true
			want["prometheus→"+w.name+":9464"] = true
			if variant == "small with ollama" || variant == "production with ollama" {
				want[w.name+"→ollama:11434"] = true
			}
		}
		want["neighbour→dns:53"] = true // a pod of the namespace may ask for names
		if variant == "small with weaviate" || variant == "production with weaviate" {
			want["retriever→weaviate:8080"] = true
		}
		for _, from := range o.peers() {
			for _, to := range o.peers() {
				outside := from.namespace["kubernetes.io/metadata.name"] != "hopstream" && to.namespace["kubernetes.io/metadata.name"] != "hopstream"
				if outside {
					continue // not ours to say
				}
				for _, port := range []int{53, 80, 443, 4222, 6222, 8080, 8222, 9464, 10250, 11434, 50051} {
					edge := fmt.Sprintf("%s→%s:%d", from.name, to.name, port)
					if is := o.allows(t, from, to, port); is != want[edge] {
						t.Errorf("%s: %s allowed: %v; want %v", variant, edge, is, want[edge])
					}
				}
			}
		}
	}
}

// Only what fetches from the internet reaches it, by HTTPS, and no address of a cluster.
func TestOnlyModelsReachTheInternet(t *testing.T) {
	t.Parallel()
	for variant, o := range variants(t) {
		for _, p := range o.policies {
			for _, r := range p.Spec.Egress {
				for _, to := range r.To {
					if to.IPBlock == nil {
						continue
					}
					fetches := p.Name == "ollama" || p.Name == "model"
					if !fetches || len(r.Ports) != 1 || r.Ports[0].Port.IntValue() != 443 || len(to.IPBlock.Except) < 4 {
						t.Errorf("%s: policy %s lets pods reach %+v", variant, p.Name, to.IPBlock)
					}
				}
			}
		}
		for _, s := range o.services {
			if s.Spec.Type != "" && s.Spec.Type != core.ServiceTypeClusterIP {
				t.Errorf("%s: service %s is of type %s", variant, s.Name, s.Spec.Type)
			}
		}
	}
}
