package node

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"

	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/secret"
)

// weaviateClient returns what makes the requests of all stores of this process.
func weaviateClient(c *config.WeaviateConfig) (*http.Client, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64 // searches run side by side
	if c.CAFile != "" {
		pem, err := os.ReadFile(c.CAFile)
		if err != nil {
			return nil, fmt.Errorf("weaviate.ca_file: %w", err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("weaviate.ca_file: no PEM certificate in %s", c.CAFile)
		}
		t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	client := &http.Client{Transport: t, Timeout: c.Timeout}
	if c.APIKeyFile != "" {
		if _, err := secret.Read(c.APIKeyFile); err != nil {
			return nil, fmt.Errorf("weaviate.api_key_file: %w", err)
		}
		client.Transport = &keyed{t, c.APIKeyFile}
	}
	return client, nil
}

// keyed has every request carry the key that stands in a file.
type keyed struct {
	*http.Transport
	file string
}

// RoundTrip makes the request with the key.
func (k *keyed) RoundTrip(req *http.Request) (*http.Response, error) {
	key, err := secret.Read(k.file)
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, fmt.Errorf("weaviate.api_key_file: %w", err)
	}
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+key)
	return k.Transport.RoundTrip(req)
}
