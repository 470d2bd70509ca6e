package messages

import (
	"cmp"
	"slices"
)

// Usage is what a question has used so far. Its values are shared between
// heads, so nothing ever writes to the slice of one that exists.
type Usage struct {
	// ModelCalls counts chat calls. Requests for embeddings are an order of
	// magnitude cheaper: they stand in Roles and in the tokens, which bound
	// them, and not here.
	ModelCalls       int `json:"model_calls"`
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	// Roles say who used it, sorted by role, each role once.
	Roles []RoleUsage `json:"roles,omitempty"`
}

// RoleUsage is what one role has used of models.
type RoleUsage struct {
	Role             string `json:"role"`
	Calls            int    `json:"calls"` // of either sort
	PromptTokens     int    `json:"prompt_tokens"`
	CompletionTokens int    `json:"completion_tokens"`
	QueueMS          int64  `json:"queue_ms"` // waiting for a free slot of the model
	ModelMS          int64  `json:"model_ms"` // waiting for its replies
}

// IsZero reports whether nothing was used.
func (u Usage) IsZero() bool {
	return u.ModelCalls == 0 && u.PromptTokens == 0 && u.CompletionTokens == 0 && len(u.Roles) == 0
}

// Add returns the sum of u and v, role by role.
func (u Usage) Add(v Usage) Usage { return u.plus(v, 1) }

// Sub returns u less v, role by role; a role of which nothing is left is
// dropped.
func (u Usage) Sub(v Usage) Usage { return u.plus(v, -1) }

func (u Usage) plus(v Usage, sign int) Usage {
	return Usage{
		ModelCalls:       u.ModelCalls + sign*v.ModelCalls,
		PromptTokens:     u.PromptTokens + sign*v.PromptTokens,
		CompletionTokens: u.CompletionTokens + sign*v.CompletionTokens,
		Roles:            mergeRoles(u.Roles, v.Roles, sign),
	}
}

// mergeRoles returns a new slice of the sums of a and of b times sign.
func mergeRoles(a, b []RoleUsage, sign int) []RoleUsage {
	if len(a)+len(b) == 0 {
		return nil
	}
	all := make([]RoleUsage, 0, len(a)+len(b))
	all = append(all, a...)
	for _, r := range b {
		all = append(all, RoleUsage{Role: r.Role}.plus(r, sign))
	}
	slices.SortStableFunc(all, func(x, y RoleUsage) int { return cmp.Compare(x.Role, y.Role) })
	out := all[:0]
	for _, r := range all {
		if n := len(out); n > 0 && out[n-1].Role == r.Role {
			out[n-1] = out[n-1].plus(r, 1)
		} else {
			out = append(out, r)
		}
	}
	out = slices.DeleteFunc(out, func(r RoleUsage) bool { return r == RoleUsage{Role: r.Role} })
	if len(out) == 0 {
		return nil
	}
	return out
}

// plus adds v's figures, times sign, to r's.
func (r RoleUsage) plus(v RoleUsage, sign int) RoleUsage {
	r.Calls += sign * v.Calls
	r.PromptTokens += sign * v.PromptTokens
	r.CompletionTokens += sign * v.CompletionTokens
	r.QueueMS += int64(sign) * v.QueueMS
	r.ModelMS += int64(sign) * v.ModelMS
	return r
}
