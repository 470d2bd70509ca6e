// Package controlplane starts a Kubernetes control plane and KEDA as plain
// processes on loopback, for tests: etcd, the API server, the controller manager,
// the scheduler, KEDA's operator, adapter and webhooks, and nodes whose pods are
// processes (see kubernetes/node). build.sh builds their binaries.
//
//	plane.go         what is started, in order
//	process.go       a process, its log and its end
//	certificates.go  what they know one another by
//	keda.go          KEDA's own manifests and processes
//	kubectl.go       commands against the plane
package controlplane

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Plane is a running control plane. It ends with the test.
type Plane struct {
	// Kubeconfig is a file with an administrator's credentials.
	Kubeconfig string

	t       *testing.T
	bin     string // folder of binaries
	dir     string
	pki     *authority
	api     string // address
	proxy   string // of an HTTP proxy that knows the pods' names
	started time.Time
}

// Start starts a plane of the binaries in folder bin and waits until it takes
// objects. images are the binaries that run for images, by name.
func Start(t *testing.T, bin string, images map[string]string) *Plane {
	t.Helper()
	p := &Plane{t: t, bin: bin, dir: t.TempDir(), started: time.Now()}
	for _, d := range []string{"pki/keda", "log"} {
		if err := os.MkdirAll(filepath.Join(p.dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(p.dir), 0o755); err != nil { // pods' users pass through
		t.Fatal(err)
	}
	if err := os.Chmod(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	if p.pki, err = newAuthority(filepath.Join(p.dir, "pki")); err != nil {
		t.Fatal(err)
	}
	etcd := p.startEtcd()
	p.startAPIServer(etcd)
	for part, wait := range map[string]string{"kube-controller-manager": "", "kube-scheduler": ""} {
		config := p.kubeconfig(part, "system:"+part, "")
		args := []string{part, "--kubeconfig", config, "--authentication-kubeconfig", config, "--authorization-kubeconfig", config,
			"--bind-address", "127.0.0.1", "--secure-port", freePort(t), "--leader-elect=false"}
		if part == "kube-controller-manager" {
			args = append(args, "--use-service-account-credentials", "--service-account-private-key-file", p.pki.path("sa.key"), "--root-ca-file", p.pki.path("ca.crt"))
		}
		p.start(part+wait, "kubernetes", args)
	}
	p.waitFor("the default service account", func() bool {
		_, err := p.try("-n", "default", "get", "serviceaccount", "default")
		return err == nil
	})
	p.startNodes(images)
	t.Logf("%5.1f s: API server, controller manager, scheduler, three nodes", time.Since(p.started).Seconds())
	return p
}

func (p *Plane) startEtcd() (url string) {
	url, peer := "http://127.0.0.1:"+freePort(p.t), "http://127.0.0.1:"+freePort(p.t)
	p.start("etcd", "etcd", []string{"--name", "e", "--data-dir", filepath.Join(p.dir, "etcd"), "--unsafe-no-fsync", "--log-level", "warn",
		"--listen-client-urls", url, "--advertise-client-urls", url,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "e=" + peer})
	p.waitHTTP("etcd", url+"/health")
	return url
}

func (p *Plane) startAPIServer(etcd string) {
	port := freePort(p.t)
	p.api = "127.0.0.1:" + port
	p.Kubeconfig = p.kubeconfig("admin", "admin", "system:masters")
	p.start("kube-apiserver", "kubernetes", []string{"kube-apiserver", "--etcd-servers", etcd,
		"--bind-address", "127.0.0.1", "--advertise-address", "127.0.0.1", "--secure-port", port, "--endpoint-reconciler-type", "none",
		"--tls-cert-file", p.pki.path("apiserver.crt"), "--tls-private-key-file", p.pki.path("apiserver.key"), "--client-ca-file", p.pki.path("ca.crt"),
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", p.pki.path("sa.key"), "--service-account-signing-key-file", p.pki.path("sa.key"),
		"--service-cluster-ip-range", "10.0.0.0/24", "--authorization-mode", "Node,RBAC",
		"--requestheader-client-ca-file", p.pki.path("ca.crt"), "--requestheader-allowed-names", "front-proxy",
		"--requestheader-username-headers", "X-Remote-User", "--requestheader-group-headers", "X-Remote-Group", "--requestheader-extra-headers-prefix", "X-Remote-Extra-",
		"--proxy-client-cert-file", p.pki.path("front-proxy.crt"), "--proxy-client-key-file", p.pki.path("front-proxy.key")})
	p.waitFor("kube-apiserver", func() bool { _, err := p.try("get", "--raw", "/readyz"); return err == nil })
}

// startNodes starts a node in each of three zones.
func (p *Plane) startNodes(images map[string]string) {
	p.proxy = "127.0.0.1:" + freePort(p.t)
	args := []string{"node", "--kubeconfig", p.Kubeconfig, "--dir", filepath.Join(p.dir, "node"), "--proxy", p.proxy, "--net", network(),
		"--node", "node-a=zone-a", "--node", "node-b=zone-b", "--node", "node-c=zone-c"}
	for image, binary := range images {
		args = append(args, "--image", image+"="+binary)
	}
	for _, d := range []string{"node", "node/pods", "node/claims"} {
		if err := os.MkdirAll(filepath.Join(p.dir, d), 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	p.start("nodes", "kubernetes", args)
}

// network returns the first two bytes of addresses of loopback, another for each
// process that tests.
func network() string { return fmt.Sprintf("127.%d", 64+os.Getpid()%128) }

// Log returns the file that the pod's process writes to.
func (p *Plane) Log(pod string) string { return filepath.Join(p.dir, "node", pod+".log") }

// Client returns an HTTP client that knows the names of the cluster's services.
func (p *Plane) Client() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{Proxy: proxyTo(p.proxy), DisableKeepAlives: true}}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// waitHTTP waits until url answers 200; certificates are not asked for.
func (p *Plane) waitHTTP(what, url string) {
	p.t.Helper()
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	p.waitFor(what, func() bool {
		r, err := client.Get(url)
		if err != nil {
			return false
		}
		_ = r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
}

// waitFor waits until ready says so.
func (p *Plane) waitFor(what string, ready func() bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute)
	defer cancel()
	for tick := time.NewTicker(200 * time.Millisecond); !ready(); {
		select {
		case <-ctx.Done():
			p.t.Fatalf("no %s; logs are in %s", what, filepath.Join(p.dir, "log"))
		case <-tick.C:
		}
	}
}
