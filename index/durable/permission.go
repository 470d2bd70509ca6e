package durable

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrNotPermitted says that the connection's user may not look at a stream or
// consumer, or not make or change one that is not there as it should be.
var ErrNotPermitted = errors.New("the NATS server does not permit this user to look at, make or change it: run `hopstream setup` with the same configuration as a user that may; `hopstream nats users` shows what each is permitted")

// lookEvery is how often the connection is asked whether a request was refused.
const lookEvery = 20 * time.Millisecond

// permitted calls ask, which sends a request on subject, and fails with
// ErrNotPermitted if the server refuses that. The server does not answer a
// request that it refuses: it tells the connection, and the request would only
// time out.
func permitted[T any](ctx context.Context, js jetstream.JetStream, subject string, ask func(context.Context) (T, error)) (T, error) {
	before := js.Conn().LastError()
	refused := func() bool {
		err := js.Conn().LastError()
		return err != nil && err != before && errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), `"`+subject+`"`)
	}
	ctx, cancel := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() { // ends with the request
		defer close(watched)
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if refused() {
					cancel()
					return
				}
			}
		}
	}()
	got, err := ask(ctx)
	cancel()
	<-watched
	if err != nil && refused() {
		err = fmt.Errorf("%w (%s)", ErrNotPermitted, subject)
	}
	return got, err
}
