package messages

import (
	"fmt"
	"strings"
)

// DefaultTenant asks the questions that name no tenant.
const DefaultTenant = "default"

// MaxTenant is the longest name of a tenant, in bytes.
const MaxTenant = 63

// Lane is where a question waits to be admitted: behind those of its tenant and
// priority alone. The zero Lane is that of a question which names neither, whose
// subject is as it was before there were lanes.
type Lane struct {
	Tenant   string   // never DefaultTenant with Normal, which is the zero Lane
	Priority Priority // set where Tenant is
}

// NewLane returns the lane of a tenant's questions of a priority; an empty one
// means DefaultTenant or Normal.
func NewLane(tenant string, p Priority) Lane {
	l := Lane{orDefault(tenant), p}
	if p == "" {
		l.Priority = Normal
	}
	if l.Tenant == DefaultTenant && l.Priority == Normal {
		return Lane{}
	}
	return l
}

// Of returns the lane's tenant and priority, neither of them empty.
func (l Lane) Of() (tenant string, p Priority) {
	if l == (Lane{}) {
		return DefaultTenant, Normal
	}
	return l.Tenant, l.Priority
}

// String is "tenant.priority".
func (l Lane) String() string {
	tenant, p := l.Of()
	return tenant + "." + string(p)
}

func orDefault(tenant string) string {
	if tenant == "" {
		return DefaultTenant
	}
	return tenant
}

// CheckTenant returns nil if name can be a tenant's: a letter or digit, then
// letters, digits, - and _, small ones, MaxTenant bytes at most. Otherwise it says
// what is wrong.
func CheckTenant(name string) error {
	if len(name) > MaxTenant {
		return fmt.Errorf("tenant %.70q has %d bytes; the limit is %d", name, len(name), MaxTenant)
	}
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '_' && r != '-') {
			return fmt.Errorf("tenant %q: use small letters and digits, and after the first - and _", name)
		}
	}
	if name == "" {
		return fmt.Errorf("tenant %q: give its name", name)
	}
	return nil
}

// parseLane reads the tokens of a lane.
func parseLane(tenant, priority string) (Lane, error) {
	p := Priority(priority)
	if !p.Valid() {
		return Lane{tenant, p}, fmt.Errorf("there is no priority %q: choose from %v", priority, Priorities())
	}
	return Lane{tenant, p}, CheckTenant(tenant)
}

// Lane returns the subject of kind question that matches all IDs in the lane l.
func (n Names) Lane(l Lane) string { return n.Subject(KindQuestion, Key{ID: "*", Lane: l}) }

// AllLanes returns the subject of kind question that matches all lanes but the
// zero one.
func (n Names) AllLanes() string { return n.Lane(Lane{"*", "*"}) }

// InAnyLane returns subjects that match the question of an ID wherever it waits.
func (n Names) InAnyLane(id string) []string {
	return []string{n.Subject(KindQuestion, Key{ID: id}), n.Subject(KindQuestion, Key{ID: id, Lane: Lane{"*", "*"}})}
}

// LaneNotice is the subject on which whoever asks a lane's first question says so,
// for the routers; it names the lane. They would find it a little later themselves.
func (n Names) LaneNotice(l Lane) string { return n.prefix + ".lane." + l.String() }

// LaneNotices is the subject that matches the notices of all lanes.
func (n Names) LaneNotices() string { return n.prefix + ".lane.>" }

// ParseLaneNotice is the inverse of LaneNotice.
func (n Names) ParseLaneNotice(subject string) (Lane, error) {
	tenant, priority, _ := strings.Cut(strings.TrimPrefix(subject, n.prefix+".lane."), ".")
	l, err := parseLane(tenant, priority)
	return NewLane(l.Tenant, l.Priority), err
}

// Ended is the subject on which the server says that the question of an ID has its
// answer; "*" is a wildcard. It follows the answer's, which is stored.
func (n Names) Ended(id string) string { return n.prefix + ".ended." + id }

// Routers is the subject on which running routers tell each other that they are.
func (n Names) Routers() string { return n.prefix + ".routers" }

// TenantsBucket is the bucket that holds what is set for tenants, by name.
func (n Names) TenantsBucket() string { return n.prefix + "-v1-tenants" }
