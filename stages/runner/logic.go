package runner

import (
	"context"
	"fmt"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Logic is what a stage does, without its types.
type Logic struct {
	Stage string // a row of the pipeline's table
	// Gate, if there is one, is called before messages are fetched, and returns
	// when the stage may take some, or with ctx's error: those it is not ready
	// for are left to other workers. After another error it is called again.
	Gate func(ctx context.Context) error
	// Lacks, if there is one, says what a message with head h, whose deadline
	// passed in this stage, waited for; it is empty where that is not known.
	Lacks  func(h *messages.Head) string
	handle func(ctx context.Context, in messages.Carrier) ([]messages.Message, error)
}

// Of makes a stage's typed Handle its Logic.
func Of[In messages.Carrier](stage string, handle func(context.Context, In) ([]messages.Message, error)) Logic {
	return Logic{Stage: stage, handle: func(ctx context.Context, in messages.Carrier) ([]messages.Message, error) {
		typed, ok := in.(In)
		if !ok {
			return nil, fault.AsPermanent(fmt.Errorf("stage %s cannot handle a %s", stage, in.Kind()))
		}
		return handle(ctx, typed)
	}}
}

// Then returns l with its outputs of one kind handled by next at once, instead
// of by a delivery of their own: for a next stage that is off, and only passes
// on what it is given.
func (l Logic) Then(kind messages.Kind, next Logic) Logic {
	handle := l.handle
	l.handle = func(ctx context.Context, in messages.Carrier) ([]messages.Message, error) {
		outs, err := handle(ctx, in)
		if err != nil {
			return nil, err
		}
		passed := make([]messages.Message, 0, len(outs))
		for _, out := range outs {
			m, ok := out.(messages.Carrier)
			if !ok || m.Kind() != kind {
				passed = append(passed, out)
				continue
			}
			more, err := next.handle(ctx, m)
			if err != nil {
				return nil, err
			}
			passed = append(passed, more...)
		}
		return passed, nil
	}
	return l
}
