package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/micro"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
	"hopstream/stages/tracing"
)

// askService answers requests on the ask subject: the question as JSON, as it
// would be published; the reply is the answer. Any number of processes may
// run it; a request reaches one.
//
//	nats req hop.ask '{"question":"Where was Marie Curie born?"}'
func askService(ctx context.Context, n *node.Node) (stop func() error, err error) {
	follow, err := n.Client.Follow(ctx, nil)
	if err != nil {
		return nil, err
	}
	handle := func(req micro.Request) {
		m, err := messages.Decode(messages.KindQuestion, req.Data())
		if err != nil {
			refuse(req, "400", cli.OneLine(err))
			return
		}
		q := m.(*messages.Question)
		q.Priority = cmp.Or(q.Priority, messages.Interactive) // whoever sends a request waits for its reply
		traced := tracing.Under(ctx, req.Headers().Get(log.TraceHeader))
		go reply(traced, n, follow, req, q) // ends with ctx or the answer
	}
	svc, err := micro.AddService(n.Conn.NC, micro.Config{
		Name: "hopstream", Version: "1.0.0", Description: "Answers questions over the indexed documents",
		Endpoint: &micro.EndpointConfig{Subject: n.Conn.Names.Ask(), Handler: micro.HandlerFunc(handle)},
	})
	if err != nil {
		follow.Close()
		return nil, fmt.Errorf("ask service: %w", err)
	}
	return func() error {
		err := svc.Stop()
		follow.Close()
		return err
	}, nil
}

func reply(ctx context.Context, n *node.Node, f *client.Follower, req micro.Request, q *messages.Question) {
	a, err := f.Ask(ctx, n.Client, q)
	switch {
	case errors.Is(err, client.ErrClash):
		refuse(req, "409", cli.OneLine(err))
	case errors.Is(err, log.ErrFull):
		refuse(req, "503", cli.OneLine(err))
	case err != nil:
		refuse(req, "500", cli.OneLine(err))
	default:
		data, err := messages.Encode(a)
		if err != nil {
			refuse(req, "500", cli.OneLine(err))
			return
		}
		_ = req.Respond(data)
	}
}
