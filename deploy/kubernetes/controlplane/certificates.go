package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority makes certificates, as files of one folder.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func (a *authority) path(name string) string { return filepath.Join(a.dir, name) }

// newAuthority makes an authority, and with it what every plane needs.
func newAuthority(dir string) (*authority, error) {
	a := &authority{dir: dir}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, err
	}
	a.cert = &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, a.cert, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	if err := a.write("ca.crt", "CERTIFICATE", der); err != nil {
		return nil, err
	}
	service, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err == nil {
		err = a.writeKey("sa.key", service)
	}
	if err == nil {
		err = a.issue("apiserver", "kube-apiserver", "", "localhost", "kubernetes.default.svc", "127.0.0.1", "10.0.0.1")
	}
	if err == nil {
		err = a.issue("front-proxy", "front-proxy", "")
	}
	return a, err
}

// issue writes NAME.crt and NAME.key, for a server and a client.
func (a *authority) issue(name, common, organization string, hosts ...string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return err
	}
	c := &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: common}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	if organization != "" {
		c.Subject.Organization = []string{organization}
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, h)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return err
	}
	if err := a.write(name+".crt", "CERTIFICATE", der); err != nil {
		return err
	}
	return a.writeKey(name+".key", key)
}

func (a *authority) writeKey(name string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return a.write(name, "EC PRIVATE KEY", der)
}

func (a *authority) write(name, kind string, der []byte) error {
	return os.WriteFile(a.path(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
