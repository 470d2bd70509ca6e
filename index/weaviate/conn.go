package weaviate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"os"
	"runtime"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/batch"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/connection"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/data"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/db"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/graphql"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/schema"

	"hopstream/messages/fault"
)

// conn is Weaviate's client, put together from its parts. The client as a
// whole cannot be given up: its finalizer waits for a reader that is not
// there, and so halts the finalizers of the whole program. And while the
// server is away it asks for the server's version in every call, without a
// lock, and prints warnings to the standard output.
type conn struct {
	http    *http.Client
	own     *http.Transport // nil if the caller's
	rest    *connection.Connection
	graphql *graphql.API
	data    *data.API
	batch   *batch.API
	schema  *schema.API
}

// version stands for any server since 1.14, whose paths have the class in
// them.
type version struct{}

func (version) Version() string { return "1.30.0" }

func connect(o Options, u *url.URL) (*conn, error) {
	c := &conn{http: o.HTTP}
	if c.http == nil {
		c.own = http.DefaultTransport.(*http.Transport).Clone()
		c.own.MaxIdleConnsPerHost = 64 // searches run side by side
		if o.CAFile != "" {
			pem, err := os.ReadFile(o.CAFile)
			if err != nil {
				return nil, fault.Permanentf("certificate authorities of the Weaviate server: %w", err)
			}
			pool := x509.NewCertPool()
			if !pool.AppendCertsFromPEM(pem) {
				return nil, fault.Permanentf("certificate authorities of the Weaviate server: no PEM certificate in %s", o.CAFile)
			}
			c.own.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		}
		c.http = &http.Client{Transport: c.own, Timeout: o.Timeout}
	}
	headers := make(map[string]string, len(o.Headers)+1)
	for k, v := range o.Headers {
		headers[k] = v
	}
	if o.APIKey != "" {
		headers["Authorization"] = "Bearer " + o.APIKey
	}
	c.rest = connection.NewConnection(u.Scheme, u.Host, c.http, o.Timeout, headers)
	runtime.SetFinalizer(c.rest, nil)
	support := db.NewDBVersionSupport(version{})
	c.graphql = graphql.New(c.rest)
	c.data = data.New(c.rest, support)
	c.batch = batch.New(c.rest, nil, support)
	c.schema = schema.New(c.rest)
	return c, nil
}

// ready asks whether the server takes requests.
func (c *conn) ready(ctx context.Context) error {
	r, err := c.rest.RunREST(ctx, "/.well-known/ready", http.MethodGet, nil)
	if err != nil {
		return classify(ctx, "ask whether it is ready", err)
	}
	if r.StatusCode != http.StatusOK {
		return statusFault("ask whether it is ready", r.StatusCode, string(r.Body))
	}
	return nil
}

// close lets go of idle connections; requests in progress go on.
func (c *conn) close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}
