package admission

import (
	"encoding/json"
	"fmt"
	"math"

	"hopstream/messages"
)

// MaxTenants is how many tenants may have questions, or settings, at once.
const MaxTenants = 1000

// Tenant is what is set for a tenant. The zero value is what holds for one for
// which nothing is.
type Tenant struct {
	// Weight is the tenant's share of the pipeline, relative to others'; 0 means 1.
	Weight float64 `json:"weight,omitempty"`
	// MaxOpen is how many of its questions may be open at once; 0: no bound but
	// that of all. Clients refuse more. What is published past them waits in its
	// lane until others have ended.
	MaxOpen int `json:"max_open,omitempty"`
	// Paused has its questions wait, up to their deadline.
	Paused bool `json:"paused,omitempty"`
}

// The bounds of a weight.
const (
	LeastWeight = 0.001
	MostWeight  = 1000
)

// Validate says what is wrong with t, or nil.
func (t Tenant) Validate() error {
	if t.Weight != 0 && !(t.Weight >= LeastWeight && t.Weight <= MostWeight) {
		return fmt.Errorf("weight %v: between %v and %v", t.Weight, LeastWeight, float64(MostWeight))
	}
	if t.MaxOpen < 0 || t.MaxOpen > math.MaxInt32 {
		return fmt.Errorf("max_open %d: at least 0, which is no bound", t.MaxOpen)
	}
	return nil
}

// Encode is how t is stored.
func (t Tenant) Encode() ([]byte, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return json.Marshal(t)
}

// Decode reads what Encode wrote. Fields that it does not know are passed over.
func Decode(data []byte) (Tenant, error) {
	var t Tenant
	if err := json.Unmarshal(data, &t); err != nil {
		return Tenant{}, fmt.Errorf("settings of a tenant: %w", err)
	}
	return t, t.Validate()
}

func (t Tenant) weight() float64 {
	if t.Weight == 0 {
		return 1
	}
	return t.Weight
}

// rank is the place of a priority, from 0 for the one that goes first.
func rank(p messages.Priority) int {
	switch p {
	case messages.Interactive:
		return 0
	case messages.Bulk:
		return 2
	}
	return 1
}
