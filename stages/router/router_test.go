package router_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/engine/roles"
	"hopstream/stages/router"
)

func question() *messages.Question {
	q := &messages.Question{Question: "who?"}
	q.Accept("q", time.Now(), messages.Policy{}, "")
	return q
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	for class, want := range map[messages.Class]messages.Key{
		messages.Straightforward: {ID: "q"},
		messages.Single:          {ID: "q", Round: 1, Branch: 1},
		messages.Compound:        {ID: "q", Round: 1},
		messages.Complex:         {ID: "q", Round: 1},
	} {
		e := &roles.Set{ClassifyFunc: func(context.Context, string) (messages.Class, error) { return class, nil }}
		out, err := router.New(e, router.Options{}).Handle(t.Context(), question())
		if err != nil || len(out) != 1 {
			t.Fatalf("%s: %v, %v", class, out, err)
		}
		h := out[0].(messages.Carrier).Meta()
		if out[0].Key() != want || h.Class != class || out[0].Validate() != nil {
			t.Errorf("%s: %s %+v", class, out[0].Kind(), h)
		}
	}
}

func TestForce(t *testing.T) {
	t.Parallel()
	e := &roles.Set{ClassifyFunc: func(context.Context, string) (messages.Class, error) { panic("asked") }}
	out, err := router.New(e, router.Options{Force: messages.Complex}).Handle(t.Context(), question())
	if err != nil || out[0].Kind() != messages.KindDecompose {
		t.Errorf("%v, %v", out, err)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		class messages.Class
		err   error
		want  fault.Class
	}{
		"unknown class": {"hard", nil, fault.Permanent},
		"no class":      {"", nil, fault.Permanent},
		"engine error":  {"", broken, fault.Transient},
	} {
		e := &roles.Set{ClassifyFunc: func(context.Context, string) (messages.Class, error) { return c.class, c.err }}
		_, err := router.New(e, router.Options{}).Handle(t.Context(), question())
		if class, _ := fault.Of(err); err == nil || class != c.want || c.err != nil && !errors.Is(err, c.err) {
			t.Errorf("%s: %v is %v", name, err, class)
		}
	}
}
