package messages_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"hopstream/messages"
)

func TestUsageMergesRoles(t *testing.T) {
	t.Parallel()
	router := messages.RoleUsage{Role: "router", Calls: 1, PromptTokens: 10, CompletionTokens: 2, QueueMS: 3, ModelMS: 400}
	judge := messages.RoleUsage{Role: "judge", Calls: 2, PromptTokens: 20, CompletionTokens: 4, QueueMS: 0, ModelMS: 700}
	u := messages.Usage{ModelCalls: 1, PromptTokens: 10, CompletionTokens: 2, Roles: []messages.RoleUsage{router}}
	v := messages.Usage{ModelCalls: 3, PromptTokens: 30, CompletionTokens: 6, Roles: []messages.RoleUsage{judge, router}}
	before := [][]messages.RoleUsage{slices.Clone(u.Roles), slices.Clone(v.Roles)}

	sum := u.Add(v)
	twice := messages.RoleUsage{Role: "router", Calls: 2, PromptTokens: 20, CompletionTokens: 4, QueueMS: 6, ModelMS: 800}
	want := messages.Usage{ModelCalls: 4, PromptTokens: 40, CompletionTokens: 8, Roles: []messages.RoleUsage{judge, twice}}
	if !reflect.DeepEqual(sum, want) {
		t.Errorf("%+v and %+v are %+v", u, v, sum)
	}
	if back := sum.Sub(u); !reflect.DeepEqual(back, v) {
		t.Errorf("less the one: %+v, want %+v", back, v)
	}
	if back := sum.Sub(v); !reflect.DeepEqual(back, u) {
		t.Errorf("less the other: %+v, want %+v", back, u)
	}
	if rest := sum.Sub(sum); !rest.IsZero() || rest.Roles != nil {
		t.Errorf("less itself: %+v", rest)
	}
	less := messages.Usage{}.Sub(u)
	if less.Roles[0].Calls != -1 || less.Roles[0].ModelMS != -400 {
		t.Errorf("less than nothing: %+v", less)
	}

	// Heads share their usage: no result shares memory with an operand.
	for _, r := range []messages.Usage{sum, u.Add(messages.Usage{}), messages.Usage{}.Add(v), v.Sub(messages.Usage{})} {
		for i := range r.Roles {
			r.Roles[i].Calls = 1000
		}
		_ = append(r.Roles, messages.RoleUsage{Role: "z"})
	}
	if !slices.Equal(u.Roles, before[0]) || !slices.Equal(v.Roles, before[1]) {
		t.Errorf("the operands were changed: %+v, %+v", u, v)
	}
}

// TestUsageOfAStranger adds to roles in no order, and told twice, as another
// writer may have stored them.
func TestUsageOfAStranger(t *testing.T) {
	t.Parallel()
	odd := messages.Usage{Roles: []messages.RoleUsage{{Role: "z", Calls: 1}, {Role: "a"}, {Role: "b", Calls: 1}, {Role: "z", Calls: 2}}}
	want := []messages.RoleUsage{{Role: "b", Calls: 1}, {Role: "z", Calls: 3}}
	if got := odd.Add(messages.Usage{}).Roles; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestUsageIsZero(t *testing.T) {
	t.Parallel()
	for _, u := range []messages.Usage{{ModelCalls: 1}, {PromptTokens: 1}, {CompletionTokens: 1}, {Roles: []messages.RoleUsage{{Role: "a"}}}} {
		if u.IsZero() {
			t.Errorf("%+v is nothing", u)
		}
	}
	data, err := json.Marshal(struct {
		U messages.Usage `json:"u,omitzero"`
	}{messages.Usage{Roles: []messages.RoleUsage{}}})
	if err != nil || string(data) != "{}" {
		t.Errorf("%s, %v", data, err)
	}
}

// TestUsageWithoutRolesIsFree holds that counting costs no memory where no
// model is used.
func TestUsageWithoutRolesIsFree(t *testing.T) {
	u, v := messages.Usage{ModelCalls: 2}, messages.Usage{PromptTokens: 3}
	if n := testing.AllocsPerRun(100, func() { u = u.Add(v).Sub(v) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
