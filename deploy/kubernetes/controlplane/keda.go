package controlplane

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// StartKEDA applies KEDA's definitions, roles and webhooks as they are, and starts
// its operator, adapter and webhooks, which know the cluster's names by a proxy.
func (p *Plane) StartKEDA() {
	p.t.Helper()
	at := func(name string) string { return filepath.Join(p.bin, "keda-config", name) }
	p.Kubectl("create", "namespace", "keda")
	p.Kubectl("apply", "--server-side", "-f", at("crd/bases"))
	for _, f := range []string{"rbac/role.yaml", "rbac/role_binding.yaml", "service_account/service_account.yaml", "metrics-server/role.yaml", "metrics-server/role_binding.yaml"} {
		p.Kubectl("apply", "-f", at(f))
	}
	if err := p.pki.issue("keda", "keda", "", "localhost", "keda-operator.keda.svc", "keda-metrics-apiserver.keda.svc", "keda-admission-webhooks.keda.svc", "127.0.0.1"); err != nil {
		p.t.Fatal(err)
	}
	certs := p.pki.path("keda")
	for from, to := range map[string]string{"ca.crt": "ca.crt", "keda.crt": "tls.crt", "keda.key": "tls.key"} {
		if err := os.Symlink(p.pki.path(from), filepath.Join(certs, to)); err != nil {
			p.t.Fatal(err)
		}
	}
	adapter, webhooks, ca := freePort(p.t), freePort(p.t), p.authorityInBase64()
	p.apply(fmt.Sprintf(services, adapter, ca))
	token := strings.TrimSpace(p.Kubectl("-n", "keda", "create", "token", "keda-operator", "--duration", "24h"))
	config := p.writeKubeconfig("keda", "token: "+token)
	env := []string{"KUBECONFIG=" + config, "KEDA_CLUSTER_OBJECT_NAMESPACE=keda", "POD_NAMESPACE=keda", "POD_NAME=keda-operator", "WATCH_NAMESPACE=", "HTTP_PROXY=http://" + p.proxy, "NO_PROXY=127.0.0.1,localhost"}
	metrics, health, hooksHealth := "localhost:"+freePort(p.t), freePort(p.t), freePort(p.t)
	p.start("keda-operator", "keda-operator", []string{"--leader-elect=false", "--cert-dir", certs, "--metrics-service-bind-address", metrics,
		"--metrics-bind-address", "127.0.0.1:" + freePort(p.t), "--health-probe-bind-address", "127.0.0.1:" + health, "--zap-log-level", "info", "--zap-encoder", "console"}, env...)
	p.start("keda-adapter", "keda-adapter", []string{"--secure-port", adapter, "--bind-address", "127.0.0.1", "--port", freePort(p.t),
		"--metrics-service-address", metrics, "--cert-dir", certs, "--tls-cert-file", certs + "/tls.crt", "--tls-private-key-file", certs + "/tls.key",
		"--client-ca-file", p.pki.path("ca.crt"), "--authentication-kubeconfig", config, "--authorization-kubeconfig", config, "--lister-kubeconfig", config, "--zap-log-level", "info"}, env...)
	p.start("keda-webhooks", "keda-webhooks", []string{"--cert-dir", certs, "--port", webhooks,
		"--metrics-bind-address", "127.0.0.1:" + freePort(p.t), "--health-probe-bind-address", "127.0.0.1:" + hooksHealth, "--zap-log-level", "info", "--zap-encoder", "console"}, env...)
	p.waitHTTP("keda-webhooks", "http://127.0.0.1:"+hooksHealth+"/readyz")
	p.applyWebhooks(at("webhooks/validation_webhooks.yaml"), webhooks, ca)
	p.waitHTTP("keda-operator", "http://127.0.0.1:"+health+"/readyz")
	p.waitFor("external.metrics.k8s.io", func() bool {
		_, err := p.try("get", "--raw", "/apis/external.metrics.k8s.io/v1beta1")
		return err == nil
	})
	p.t.Logf("%5.1f s: KEDA", time.Since(p.started).Seconds())
}

// applyWebhooks applies KEDA's own; unlike there, what they cannot check is refused.
func (p *Plane) applyWebhooks(file, port, ca string) {
	p.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	p.apply(strings.NewReplacer("\n  clientConfig:", "\n  clientConfig:\n    caBundle: "+ca, "      name: keda-admission-webhooks", "      name: keda-admission-webhooks\n      port: "+port,
		"failurePolicy: Ignore", "failurePolicy: Fail").Replace(string(data)))
}

func (p *Plane) authorityInBase64() string {
	p.t.Helper()
	data, err := os.ReadFile(p.pki.path("ca.crt"))
	if err != nil {
		p.t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(data)
}

// apply applies manifests given as text.
func (p *Plane) apply(manifests string) {
	p.t.Helper()
	if _, err := p.kubectl([]byte(manifests), "apply", "-f", "-"); err != nil {
		p.t.Fatal(err)
	}
}

// services lead the API server to processes of this machine: there are no cluster
// addresses without kube-proxy.
const services = `apiVersion: v1
kind: Service
metadata: {name: keda-metrics-apiserver, namespace: keda}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: v1
kind: Service
metadata: {name: keda-admission-webhooks, namespace: keda}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.external.metrics.k8s.io}
spec:
  group: external.metrics.k8s.io
  version: v1beta1
  groupPriorityMinimum: 100
  versionPriority: 100
  service: {name: keda-metrics-apiserver, namespace: keda, port: %s}
  caBundle: %s
`
