package controlplane

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// kubeconfig writes credentials: a certificate of user in group.
func (p *Plane) kubeconfig(name, user, group string) string {
	p.t.Helper()
	if err := p.pki.issue(name, user, group); err != nil {
		p.t.Fatal(err)
	}
	return p.writeKubeconfig(name, fmt.Sprintf("client-certificate: %s, client-key: %s", p.pki.path(name+".crt"), p.pki.path(name+".key")))
}

// writeKubeconfig writes credentials given as YAML.
func (p *Plane) writeKubeconfig(name, credentials string) string {
	p.t.Helper()
	file := filepath.Join(p.dir, name+".kubeconfig")
	if err := os.WriteFile(file, fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://%s", certificate-authority: %s}}]
users: [{name: u, user: {%s}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`, p.api, p.pki.path("ca.crt"), credentials), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return file
}

// Kubectl runs a command and returns what it says, warnings apart. It fails the
// test if the command fails, and on any warning: of a deprecated version, of a
// field that is not known, of what Pod Security would refuse.
func (p *Plane) Kubectl(args ...string) string {
	p.t.Helper()
	out, err := p.try(args...)
	if err != nil {
		p.t.Fatalf("kubectl %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// Try runs a command and returns what it says, and its error if it fails or warns.
func (p *Plane) Try(args ...string) (string, error) { return p.try(args...) }

func (p *Plane) try(args ...string) (string, error) { return p.kubectl(nil, args...) }

func (p *Plane) kubectl(stdin []byte, args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(p.bin, "kubernetes"), append([]string{"kubectl"}, args...)...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+p.Kubeconfig)
	cmd.Stdin = bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w: %s", err, &errs)
	}
	if strings.Contains(errs.String(), "Warning") {
		return out.String(), fmt.Errorf("it warns: %s", &errs)
	}
	return out.String(), nil
}
