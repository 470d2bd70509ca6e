// Package kubernetes holds no code but these tests of the manifests: they are
// rendered by the library that kubectl and kustomize are made of, and read as
// the types of Kubernetes' own API, unknown fields refused.
//
//	render_test.go      kustomizations made into objects
//	workloads_test.go   every stage runs, once
//	pods_test.go        what a pod may do and use; whose secrets it has
//	life_test.go        started, ready, spread, ended
//	start_test.go       the pods' commands, as processes
//	network_test.go     who may talk to whom, worked out from the policies
//	scaling_test.go     thresholds of the autoscaler against the effective settings
//	monitoring_test.go  rules, dashboards and images against the files that they come from
//	readme_test.go      the commands of the README
//
// The same manifests are applied to a real API server, and scaled by a real
// KEDA, by the tests with the tag k8s: see controlplane.
package kubernetes

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// objects are what a kustomization renders to, by kind.
type objects struct {
	deployments  []*apps.Deployment
	statefulSets []*apps.StatefulSet
	jobs         []*batch.Job
	policies     []*networking.NetworkPolicy
	budgets      []*policy.PodDisruptionBudget
	services     []*core.Service
	configMaps   []*core.ConfigMap
	namespaces   []*core.Namespace
	others       []map[string]any // of kinds that are not Kubernetes' own
}

// variants are the overlays as they are, and each with every component, by name.
// They are rendered once and only read.
func variants(t *testing.T) map[string]*objects {
	t.Helper()
	v, err := rendered()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var rendered = sync.OnceValues(func() (map[string]*objects, error) {
	v := map[string]*objects{}
	for _, overlay := range []string{"small", "production"} {
		for _, component := range []string{"", "model", "ollama", "weaviate"} {
			var with []string
			name := overlay
			if component != "" {
				name, with = overlay+" with "+component, []string{"components/" + component}
			}
			o, err := build("overlays/"+overlay, with...)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			v[name] = o
		}
	}
	return v, nil
})

// render reads the objects of base with components on top, as an overlay with
// these lines uncommented has them.
func render(t *testing.T, base string, components ...string) *objects {
	t.Helper()
	o, err := build(base, components...)
	if err != nil {
		t.Fatalf("%s: %v", base, err)
	}
	return o
}

func build(base string, components ...string) (*objects, error) {
	tree, err := manifests()
	if err != nil {
		return nil, err
	}
	top := map[string]any{"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": []string{"../" + base}}
	var paths []string
	for _, c := range components {
		paths = append(paths, "../"+c)
	}
	top["components"] = paths
	data, err := yaml.Marshal(top)
	if err != nil {
		return nil, err
	}
	if err := tree.WriteFile("/deploy/kubernetes/top/kustomization.yaml", data); err != nil {
		return nil, err
	}
	m, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(tree, "/deploy/kubernetes/top")
	if err != nil {
		return nil, err
	}
	return read(m.Resources())
}

// manifests are this folder's files and grafana's, in memory, where they are in the
// repository.
func manifests() (filesys.FileSystem, error) {
	tree := filesys.MakeFsInMemory()
	for _, folder := range []string{"deploy/kubernetes", "grafana"} {
		from := filepath.Join("../..", folder)
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) == ".go" {
				return err
			}
			name, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return tree.WriteFile(filepath.Join("/", folder, name), data)
		})
		if err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// read decodes resources, strictly where their types are Kubernetes' own.
func read(resources []*resource.Resource) (*objects, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{apps.AddToScheme, batch.AddToScheme, core.AddToScheme, networking.AddToScheme, policy.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	o := &objects{}
	for _, r := range resources {
		data, err := r.AsYAML()
		if err != nil {
			return nil, err
		}
		if g := r.GetGvk(); !scheme.Recognizes(schema.GroupVersionKind{Group: g.Group, Version: g.Version, Kind: g.Kind}) {
			var other map[string]any
			if err := yaml.Unmarshal(data, &other); err != nil {
				return nil, err
			}
			o.others = append(o.others, other)
			continue
		}
		obj, _, err := decoder.Decode(data, nil, nil)
		if err == nil {
			err = o.add(obj)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", r.GetKind(), r.GetName(), err)
		}
	}
	return o, nil
}

func (o *objects) add(obj runtime.Object) error {
	switch x := obj.(type) {
	case *apps.Deployment:
		o.deployments = append(o.deployments, x)
	case *apps.StatefulSet:
		o.statefulSets = append(o.statefulSets, x)
	case *batch.Job:
		o.jobs = append(o.jobs, x)
	case *networking.NetworkPolicy:
		o.policies = append(o.policies, x)
	case *policy.PodDisruptionBudget:
		o.budgets = append(o.budgets, x)
	case *core.Service:
		o.services = append(o.services, x)
	case *core.ConfigMap:
		o.configMaps = append(o.configMaps, x)
	case *core.Namespace:
		o.namespaces = append(o.namespaces, x)
	default:
		return fmt.Errorf("no test reads a %T", obj)
	}
	return nil
}

// configMap returns the data of the config map whose name starts with name.
func (o *objects) configMap(t *testing.T, name string) map[string]string {
	t.Helper()
	for _, c := range o.configMaps {
		if base, _, _ := strings.Cut(c.Name, "-"); base == name {
			return c.Data
		}
	}
	t.Fatalf("no config map %s", name)
	return nil
}
