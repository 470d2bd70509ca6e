package client

import (
	"context"
	"fmt"
	"sync"
	"time"

	"hopstream/messages"
	"hopstream/stages/admission"
	"hopstream/stages/log"
)

// TenantFull says that a tenant has as many questions open as are set for it. It is
// log.ErrFull too: whoever waits for room waits here as well.
type TenantFull struct {
	Tenant  string
	MaxOpen int
}

// Error names the tenant and its bound.
func (e *TenantFull) Error() string {
	return fmt.Sprintf("tenant %s has %d questions open, the most it may have: try again later, or raise its max_open (hopstream tenants set)", e.Tenant, e.MaxOpen)
}

// Unwrap returns log.ErrFull.
func (e *TenantFull) Unwrap() error { return log.ErrFull }

const (
	// noticeEvery is how often a client says which lanes it uses.
	noticeEvery = 5 * time.Second
	// settingsFor is how long what is set for tenants is used before it is looked at
	// again, and countFor how long the number of a tenant's open questions is, with
	// those stored meanwhile.
	settingsFor = time.Second
	countFor    = 250 * time.Millisecond
)

// lanes are those that a client uses.
type lanes struct {
	settings settings

	mu      sync.Mutex // guards the below
	noticed map[messages.Lane]time.Time
	rooms   map[string]*room // of tenants that have a bound
}

// settings are what is set for the tenants that a client asks for: one look a second
// whether anything has changed, however many tenants there are, and one read of each
// after a change.
type settings struct {
	reading sync.Mutex // held while the server is asked

	mu      sync.Mutex // guards the below
	known   map[string]admission.Tenant
	changes uint64    // with which those known were read
	looked  time.Time // zero: never
}

// room is what a client knows of the open questions of a tenant that has a bound.
type room struct {
	mu      sync.Mutex // guards the below
	open    int
	counted time.Time
}

// notice tells the routers of a lane, so that they read it at once. Nothing is lost
// where that fails: they find the lane themselves.
func (c *Client) notice(lane messages.Lane) {
	if lane == (messages.Lane{}) {
		return
	}
	now := time.Now()
	c.lanes.mu.Lock()
	due := now.Sub(c.lanes.noticed[lane]) > noticeEvery
	if due {
		c.lanes.noticed[lane] = now
	}
	c.lanes.mu.Unlock()
	if due {
		_ = c.log.JetStream().Conn().Publish(c.log.Names().LaneNotice(lane), nil)
	}
}

// enter fails with *TenantFull if the tenant may have no more questions open, and
// counts one more otherwise. For a tenant without a bound it asks the server
// nothing.
func (c *Client) enter(ctx context.Context, tenant string) error {
	set, err := c.setFor(ctx, tenant)
	if err != nil || set.MaxOpen == 0 {
		return err
	}
	c.lanes.mu.Lock()
	r := c.lanes.rooms[tenant]
	if r == nil {
		r = &room{}
		c.lanes.rooms[tenant] = r
	}
	c.lanes.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.counted) > countFor {
		open, err := c.log.OpenOf(ctx, tenant)
		if err != nil {
			return err
		}
		r.open, r.counted = open, time.Now()
	}
	if r.open >= set.MaxOpen {
		return &TenantFull{tenant, set.MaxOpen}
	}
	r.open++
	return nil
}

// setFor returns what is set for a tenant. Whoever asks first waits until it is read;
// later, one call looks whether it has changed while the others take what is known.
func (c *Client) setFor(ctx context.Context, tenant string) (admission.Tenant, error) {
	s := &c.lanes.settings
	set, known, fresh := s.get(tenant)
	switch {
	case known && fresh:
		return set, nil
	case !known:
		s.reading.Lock()
	case !s.reading.TryLock():
		return set, nil
	}
	defer s.reading.Unlock()
	if _, _, fresh = s.get(tenant); !fresh {
		changes, err := c.tenants.Changes(ctx)
		if err != nil {
			return set, err
		}
		s.look(changes)
	}
	if set, known, _ = s.get(tenant); known {
		return set, nil
	}
	set, err := c.tenants.Get(ctx, tenant)
	if err != nil {
		return set, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[tenant] = set
	return set, nil
}

// get returns what is known of a tenant, and whether it was looked at lately.
func (s *settings) get(tenant string) (set admission.Tenant, known, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set, known = s.known[tenant]
	return set, known, time.Since(s.looked) <= settingsFor
}

// look notes how often the settings have changed, and forgets those that may be
// others now, or are too many.
func (s *settings) look(changes uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if changes != s.changes || s.known == nil || len(s.known) > admission.MaxTenants {
		s.known = map[string]admission.Tenant{}
	}
	s.changes, s.looked = changes, time.Now()
}
