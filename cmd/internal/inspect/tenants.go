package inspect

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/session"
	"hopstream/stages/admission"
)

// Tenant is what is set for a tenant, defaults filled in, and how many questions it
// has open.
type Tenant struct {
	Name    string  `json:"tenant"`
	Weight  float64 `json:"weight"`
	MaxOpen int     `json:"max_open"`
	Paused  bool    `json:"paused"`
	Open    int     `json:"open"`
}

// NewTenant returns the tenant of a name.
func NewTenant(name string, t admission.Tenant, open int) Tenant {
	return Tenant{name, cmp.Or(t.Weight, 1), t.MaxOpen, t.Paused, open}
}

// Settings is t without what changes by itself.
func (t Tenant) Settings() any {
	return struct {
		Name    string  `json:"tenant"`
		Weight  float64 `json:"weight"`
		MaxOpen int     `json:"max_open"`
		Paused  bool    `json:"paused"`
	}{t.Name, t.Weight, t.MaxOpen, t.Paused}
}

// Tenants returns the tenants for which something is set, or that have questions
// open, by name.
func Tenants(ctx context.Context, s *session.Session) ([]Tenant, error) {
	set, err := s.Log.Tenants(node.LogConfig(s.App.Config, s.App.Log)).All(ctx)
	if err != nil {
		return nil, err
	}
	open, err := s.Log.OpenByTenant(ctx)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for name := range set {
		names[name] = true
	}
	for name := range open {
		names[name] = true
	}
	all := make([]Tenant, 0, len(names))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, NewTenant(name, set[name], open[name]))
	}
	return all, nil
}
