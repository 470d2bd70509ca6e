package fault_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"hopstream/messages/fault"
)

func TestOf(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	for name, c := range map[string]struct {
		err   error
		class fault.Class
		after time.Duration
	}{
		"none":                  {nil, fault.Transient, 0},
		"of no class":           {cause, fault.Transient, 0},
		"permanent":             {fault.AsPermanent(cause), fault.Permanent, 0},
		"permanent, formatted":  {fault.Permanentf("of %w", cause), fault.Permanent, 0},
		"permanent, wrapped":    {fmt.Errorf("stage: %w", fault.AsPermanent(cause)), fault.Permanent, 0},
		"later":                 {fault.RetryAfter(cause, time.Minute), fault.Transient, time.Minute},
		"cancelled":             {fmt.Errorf("call: %w", context.Canceled), fault.Cancelled, 0},
		"too late":              {context.DeadlineExceeded, fault.Transient, 0},
		"a class beats a cause": {fault.AsPermanent(context.Canceled), fault.Permanent, 0},
		"the outer class beats": {fault.RetryAfter(fault.AsPermanent(cause), time.Second), fault.Transient, time.Second},
		"away":                  {fault.AsUnavailable(cause, 0), fault.Unavailable, 0},
		"away for a while":      {fmt.Errorf("stage: %w", fault.AsUnavailable(cause, time.Minute)), fault.Unavailable, time.Minute},
		"away, if anything":     {fault.AsUnavailable(fault.AsPermanent(context.Canceled), 0), fault.Unavailable, 0},
		"joined":                {errors.Join(errors.New("x"), fault.AsPermanent(cause)), fault.Permanent, 0},
	} {
		if class, after := fault.Of(c.err); class != c.class || after != c.after {
			t.Errorf("%s: %v after %v", name, class, after)
		}
	}
}

func TestFaultsKeepTheirCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	for _, err := range []error{fault.AsPermanent(cause), fault.RetryAfter(cause, time.Second), fault.AsUnavailable(cause, 0), fault.Permanentf("x: %w", cause)} {
		if !errors.Is(err, cause) {
			t.Errorf("%v lost its cause", err)
		}
	}
	if fault.AsPermanent(nil) != nil || fault.RetryAfter(nil, 1) != nil || fault.AsUnavailable(nil, 1) != nil {
		t.Error("no error became one")
	}
	for class, name := range map[fault.Class]string{fault.Transient: "transient", fault.Permanent: "permanent",
		fault.Cancelled: "cancelled", fault.Unavailable: "unavailable"} {
		if class.String() != name {
			t.Errorf("%v is not called %s", class, name)
		}
	}
}
