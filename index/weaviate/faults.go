package weaviate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	clientfault "github.com/weaviate/weaviate-go-client/v4/weaviate/fault"
	"github.com/weaviate/weaviate/entities/models"

	"hopstream/messages/fault"
)

// classify says what should happen after err, which the client returned while
// it was to do what.
func classify(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	// The client's errors do not unwrap.
	for {
		e, ok := errors.AsType[*clientfault.WeaviateClientError](err)
		if !ok {
			break
		}
		if e.IsUnexpectedStatusCode {
			return statusFault(what, e.StatusCode, e.Msg)
		}
		if e.DerivedFromError == nil {
			break
		}
		err = e.DerivedFromError
	}
	if ctx.Err() != nil {
		return fmt.Errorf("weaviate: %s: %w", what, ctx.Err())
	}
	wrapped := fmt.Errorf("weaviate: %s: %w", what, err)
	var network net.Error
	var dns *net.DNSError
	switch {
	case isTLS(err):
		return fault.AsPermanent(fmt.Errorf("%w (check http or https, and the CA file)", wrapped))
	case errors.As(err, &network) && network.Timeout():
		return wrapped // transient
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &dns):
		return fault.AsUnavailable(wrapped, 0)
	}
	return wrapped
}

func isTLS(err error) bool {
	_, record := errors.AsType[tls.RecordHeaderError](err)
	_, verify := errors.AsType[*tls.CertificateVerificationError](err)
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, alert := errors.AsType[tls.AlertError](err)
	return record || verify || unknown || alert || errors.Is(err, http.ErrSchemeMismatch)
}

// statusFault is the error for an answer with an HTTP status that is not the
// expected one.
func statusFault(what string, status int, body string) error {
	message := serverMessage(body)
	err := fmt.Errorf("weaviate: %s: the server answers %d %s%s", what, status, http.StatusText(status), message)
	switch {
	case status == http.StatusUnauthorized:
		return fault.Permanentf("%w (set the Weaviate API key to one that the server accepts)", err)
	case status == http.StatusForbidden:
		return fault.Permanentf("%w (set the Weaviate API key to one that may do this)", err)
	case status == http.StatusTooManyRequests, status == http.StatusBadGateway,
		status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		return fault.AsUnavailable(err, 0)
	case passing(message):
		return fault.AsUnavailable(err, 0)
	case status == http.StatusRequestTimeout, status >= 500:
		return err // transient
	}
	return fault.AsPermanent(err)
}

// passing reports whether a message tells of a state that passes: a cluster
// that looks for its leader, or a class that another process is making anew. A
// search meanwhile may find no class, no schema at all, or a server that
// stumbles over itself.
func passing(message string) bool {
	message = strings.ToLower(message)
	for _, s := range []string{"leader", "no graphql provider", "not ready", "shutting down", "read-only", "read only", "connection refused",
		"cannot query field", "runtime error"} {
		if strings.Contains(message, s) {
			return true
		}
	}
	return false
}

// serverMessage takes the messages out of a body as Weaviate sends it.
func serverMessage(body string) string {
	var e models.ErrorResponse
	if json.Unmarshal([]byte(body), &e) == nil && len(e.Error) > 0 {
		body = messagesOf(&e)
	}
	body = strings.TrimSpace(body)
	if body == "" {
		return ""
	}
	return ": " + shorten(body, 300)
}

func messagesOf(e *models.ErrorResponse) string {
	var all []string
	for _, item := range e.Error {
		if item != nil {
			all = append(all, item.Message)
		}
	}
	return strings.Join(all, "; ")
}

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

// refusal is the error for something that the server refuses inside of an
// answer that is otherwise well: an object of a batch, or a query.
func refusal(what, message string) error {
	err := fmt.Errorf("weaviate: %s: %s", what, shorten(message, 300))
	lower := strings.ToLower(message)
	switch {
	case passing(message):
		return fault.AsUnavailable(err, 0)
	case strings.Contains(lower, "vector") && (strings.Contains(lower, "length") || strings.Contains(lower, "dimension")):
		return fault.Permanentf("%w (the class holds vectors of another embedder: reset the store, or use another class name)", err)
	case strings.Contains(lower, "syntax error"), strings.Contains(lower, "invalid"), strings.Contains(lower, "no such prop"):
		return fault.AsPermanent(err)
	}
	return err // transient: a class being made anew, a shard that is busy
}

// answer checks the errors inside of a GraphQL response.
func answer(ctx context.Context, what string, r *models.GraphQLResponse, err error) (map[string]models.JSONObject, error) {
	if err != nil {
		return nil, classify(ctx, what, err)
	}
	if len(r.Errors) > 0 {
		var all []string
		for _, e := range r.Errors {
			if e != nil {
				all = append(all, e.Message)
			}
		}
		return nil, refusal(what, strings.Join(all, "; "))
	}
	return r.Data, nil
}
