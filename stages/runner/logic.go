package runner

import (
	"context"
	"fmt"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Logic is what a stage does, without its types.
type Logic struct {
	Stage  string // a row of the pipeline's table
	handle func(ctx context.Context, in messages.Carrier) ([]messages.Message, error)
}

// Of makes a stage's typed Handle its Logic.
func Of[In messages.Carrier](stage string, handle func(context.Context, In) ([]messages.Message, error)) Logic {
	return Logic{stage, func(ctx context.Context, in messages.Carrier) ([]messages.Message, error) {
		typed, ok := in.(In)
		if !ok {
			return nil, fault.AsPermanent(fmt.Errorf("stage %s cannot handle a %s", stage, in.Kind()))
		}
		return handle(ctx, typed)
	}}
}
