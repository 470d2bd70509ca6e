// Kubernetes is its control plane in one binary, linked once: kube-apiserver,
// kube-controller-manager, kube-scheduler, kubectl, and a node whose pods are
// plain processes. The first argument says which; kubectl is also what it is when
// it is called by that name.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"

	"hopstream/controlplane/kubernetes/node"
)

func main() {
	parts := map[string]func() *cobra.Command{
		"kube-apiserver":          apiserver.NewAPIServerCommand,
		"kube-controller-manager": manager.NewControllerManagerCommand,
		"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
		"kubectl":                 kubectl.NewDefaultKubectlCommand,
		"node":                    node.NewCommand,
	}
	if filepath.Base(os.Args[0]) != "kubectl" && len(os.Args) > 1 {
		os.Args = os.Args[1:]
	}
	part, ok := parts[filepath.Base(os.Args[0])]
	if !ok {
		fmt.Fprintln(os.Stderr, "kubernetes: the first argument is the part to run")
		os.Exit(2)
	}
	os.Exit(cli.Run(part()))
}
