package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/stages/grants"
)

// TestTLS has a server that speaks TLS alone, and one that wants a certificate
// besides. Who has nats.tls as the server needs it is let in; who does not trust the
// server's authority, or shows no certificate or one of another authority, is not.
func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ours, theirs := newAuthority(t, dir, "ours"), newAuthority(t, dir, "theirs")
	ours.issue(t, "server")
	ours.issue(t, "client")
	theirs.issue(t, "stranger")
	file := func(name string) string { return filepath.Join(dir, name+".pem") }
	trust := fmt.Sprintf("ca: %q", file("ours"))
	show := func(name string) string {
		return fmt.Sprintf("%s, cert: %q, key: %q", trust, file(name), file(name+".key"))
	}
	for _, c := range []struct {
		name, server string
		in           string
		out          map[string]string // nats.tls, and what is said
	}{
		{"TLS", "", trust, map[string]string{
			"":                                    "certificate",
			fmt.Sprintf("ca: %q", file("theirs")): "certificate",
		}},
		// A server that refuses a client's certificate has closed the connection,
		// maybe before the client has read why.
		{"certificates", "verify: true", show("client"), map[string]string{
			trust:            "no NATS server answers at tls://",
			show("stranger"): "no NATS server answers at tls://",
			"":               "certificate",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			head := fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, %s }", file("server"), file("server.key"), file("ours"), c.server)
			s := cmdtest.NewSecured(t, head, securedGrants(t).Users())
			setup := func(tls string) cmdtest.Outcome {
				s.Extra = ", tls: {" + tls + "}"
				return hopstream(t, "", append([]string{"setup"}, s.As(grants.Setup, securedSettings)...)...)
			}
			setup(c.in).Exits(0)
			for tls, says := range c.out {
				setup(tls).Exits(1).Says(says)
			}
			if known := s.Did(grants.Setup)[grants.Publish]; len(known) == 0 {
				t.Error("who was let in has asked nothing")
			}
		})
	}
	missing := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("nats: {url: \"tls://127.0.0.1:1\", tls: {ca: %q}}", file("nowhere")))
	hopstream(t, "", "status", "--config", missing).Exits(1).Says("nowhere.pem")
}

// authority issues certificates, which it writes to a folder.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	n    int64
}

func newAuthority(t *testing.T, dir, name string) *authority {
	t.Helper()
	a := &authority{dir: dir}
	a.cert, a.key = a.make(t, name, &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// issue writes a certificate of this machine, and its key.
func (a *authority) issue(t *testing.T, name string) {
	t.Helper()
	a.make(t, name, &x509.Certificate{
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
}

// make signs a certificate, by itself where there is no authority yet.
func (a *authority) make(t *testing.T, name string, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a.n++
	c.SerialNumber, c.Subject = big.NewInt(a.n), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name: {Type: "CERTIFICATE", Bytes: der}, name + ".key": {Type: "PRIVATE KEY", Bytes: private}} {
		var b strings.Builder
		if err := pem.Encode(&b, block); err != nil {
			t.Fatal(err)
		}
		cmdtest.WriteFile(t, filepath.Join(a.dir, file+".pem"), b.String())
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return made, key
}
