package log

import (
	"context"
	"errors"
	"fmt"

	"hopstream/messages"
	"hopstream/stages/admission"
	"hopstream/stages/bucket"
)

// Tenants is what is set for tenants, in a bucket that routers look at all the
// time.
type Tenants struct{ bucket *bucket.Bucket }

// Tenants returns the settings of tenants, kept as c says. Nothing is asked of the
// server yet.
func (l *Log) Tenants(c Config) *Tenants {
	stream := c.Stream(l.names, "")
	return &Tenants{bucket.New(l.js, bucket.Config{
		Name: l.names.TenantsBucket(), Description: "hopstream settings of tenants",
		Replicas: stream.Replicas, Storage: stream.Storage, Logger: c.Logger,
	})}
}

// Ensure makes the bucket, unless it is there.
func (t *Tenants) Ensure(ctx context.Context) error { return t.bucket.Ensure(ctx) }

// All returns what is set, by tenant. An entry that cannot be read is left out, and
// its error returned beside the others.
func (t *Tenants) All(ctx context.Context) (map[string]admission.Tenant, error) {
	entries, err := t.bucket.All(ctx)
	if err != nil {
		return nil, &BrokerError{fmt.Errorf("read the settings of tenants: %w", err)}
	}
	all := make(map[string]admission.Tenant, len(entries))
	var bad []error
	for name, data := range entries {
		if all[name], err = admission.Decode(data); err != nil {
			delete(all, name)
			bad = append(bad, fmt.Errorf("tenant %s: %w", name, err))
		}
	}
	return all, errors.Join(bad...)
}

// Changes returns a number that is another after every change.
func (t *Tenants) Changes(ctx context.Context) (uint64, error) { return t.bucket.Changes(ctx) }

// Get returns what is set for a tenant; the zero value if nothing is.
func (t *Tenants) Get(ctx context.Context, name string) (admission.Tenant, error) {
	s, _, err := t.get(ctx, name)
	return s, err
}

func (t *Tenants) get(ctx context.Context, name string) (s admission.Tenant, revision uint64, err error) {
	if err := messages.CheckTenant(name); err != nil {
		return s, 0, err
	}
	data, revision, err := t.bucket.Get(ctx, name)
	if errors.Is(err, bucket.ErrNotFound) {
		return s, 0, nil
	}
	if err != nil {
		return s, 0, &BrokerError{fmt.Errorf("read the settings of tenant %s: %w", name, err)}
	}
	s, err = admission.Decode(data)
	return s, revision, err
}

// Change changes what is set for a tenant, and returns what is set then. It fails
// where that is not valid, or where admission.MaxTenants others are set already.
func (t *Tenants) Change(ctx context.Context, name string, change func(*admission.Tenant)) (admission.Tenant, error) {
	for {
		s, revision, err := t.get(ctx, name)
		if err != nil {
			return s, err
		}
		if revision == 0 {
			if all, err := t.bucket.All(ctx); err == nil && len(all) >= admission.MaxTenants {
				return s, fmt.Errorf("tenant %s: %d tenants are set already, the most there can be", name, len(all))
			}
		}
		change(&s)
		data, err := s.Encode()
		if err != nil {
			return s, fmt.Errorf("tenant %s: %w", name, err)
		}
		err = t.bucket.Replace(ctx, name, data, revision)
		if errors.Is(err, bucket.ErrConflict) && revision > 0 {
			continue // somebody else changed it meanwhile
		}
		if errors.Is(err, bucket.ErrConflict) { // it was removed, which leaves a mark
			err = t.bucket.Put(ctx, name, data)
		}
		if err != nil {
			return s, &BrokerError{fmt.Errorf("set tenant %s: %w", name, err)}
		}
		return s, nil
	}
}

// Reset has the defaults hold for a tenant again.
func (t *Tenants) Reset(ctx context.Context, name string) error {
	if err := messages.CheckTenant(name); err != nil {
		return err
	}
	if err := t.bucket.Delete(ctx, name); err != nil {
		return &BrokerError{fmt.Errorf("reset tenant %s: %w", name, err)}
	}
	return nil
}
