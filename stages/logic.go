package stages

import (
	"context"
	"maps"
	"slices"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Handler turns one message into those that follow from it.
type Handler func(ctx context.Context, in messages.Carrier) ([]messages.Message, error)

// Logic is what a stage does, without its types.
type Logic struct {
	Stage  Stage // its row, as configured
	Handle Handler
	// Gate, if there is one, is called before messages are fetched, and returns
	// when the stage may take some, or with ctx's error: those it is not ready
	// for are left to other workers. After another error it is called again.
	Gate func(ctx context.Context) error
	// Lacks, if there is one, says what a message with head h, whose deadline
	// passed in this stage, waited for; it is empty where that is not known.
	Lacks func(h *messages.Head) string
}

// Of makes a stage's typed Handle its Logic.
func Of[In messages.Carrier](handle func(context.Context, In) ([]messages.Message, error)) Logic {
	return Logic{Handle: func(ctx context.Context, in messages.Carrier) ([]messages.Message, error) {
		typed, ok := in.(In)
		if !ok {
			return nil, fault.Permanentf("this stage cannot handle a %s", in.Kind())
		}
		return handle(ctx, typed)
	}}
}

// Assemble returns the logic of the given rows. What leads to a stage that is
// off leads past it.
func Assemble(table []Stage, p Parts) []Logic {
	var out []Logic
	skipped := map[messages.Kind]Handler{} // by what it reads, later stages first
	for _, row := range slices.Backward(Pipeline()) {
		off := !p.EveryHop && row.Off != nil && row.Off(&p.Settings)
		at := slices.IndexFunc(table, func(s Stage) bool { return s.Name == row.Name })
		if at < 0 && !off {
			continue
		}
		l := row.New(&p)
		if len(skipped) > 0 {
			l.Handle = l.Handle.past(skipped)
		}
		if off {
			skipped[row.Input] = l.Handle
		}
		if at >= 0 { // one that is off is given messages by processes configured otherwise
			l.Stage = table[at]
			out = append(out, l)
		}
	}
	slices.Reverse(out)
	return out
}

// past returns h with its outputs to skipped stages handled at once, instead
// of by deliveries of their own.
func (h Handler) past(skipped map[messages.Kind]Handler) Handler {
	skip := maps.Clone(skipped)
	return func(ctx context.Context, in messages.Carrier) ([]messages.Message, error) {
		outs, err := h(ctx, in)
		if err != nil {
			return nil, err
		}
		passed := make([]messages.Message, 0, len(outs))
		for _, out := range outs {
			next := skip[out.Kind()]
			m, ok := out.(messages.Carrier)
			if next == nil || !ok {
				passed = append(passed, out)
				continue
			}
			more, err := next(ctx, m)
			if err != nil {
				return nil, err
			}
			passed = append(passed, more...)
		}
		return passed, nil
	}
}
