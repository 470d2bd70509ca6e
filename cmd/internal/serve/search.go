package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/micro"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/messages/fault"
)

// maxSearches is how many searches of the service run at once in a process; it
// refuses further ones.
const maxSearches = 16

// searchService answers requests on the search subject with passages. Any number
// of processes that retrieve may run it; a request reaches one. Errors are 400 for
// a request that cannot be met, 503 where the index is not ready or too much is
// asked at once, and otherwise 500.
//
//	nats req hop.search '{"query":"approval of the safety chapter","k":5}'
func searchService(ctx context.Context, n *node.Node) (stop func() error, err error) {
	running := make(chan struct{}, maxSearches)
	handle := func(req micro.Request) {
		var r node.SearchRequest
		if err := json.Unmarshal(req.Data(), &r); err != nil {
			refuse(req, "400", `want {"query":"…"}: `+cli.OneLine(err))
			return
		}
		select {
		case running <- struct{}{}:
		default:
			refuse(req, "503", fmt.Sprintf("%d searches are running: try again", maxSearches))
			return
		}
		go func() { // ends with ctx or the searchers' time limits
			defer func() { <-running }()
			found(ctx, req, n, r)
		}()
	}
	svc, err := micro.AddService(n.Conn.NC, micro.Config{
		Name: "hopstream-search", Version: "1.0.0", Description: "Finds passages of the indexed documents",
		Endpoint: &micro.EndpointConfig{Subject: n.Conn.Names.Search(), Handler: micro.HandlerFunc(handle)},
	})
	if err != nil {
		return nil, fmt.Errorf("search service: %w", err)
	}
	return svc.Stop, nil
}

// found replies with what is found.
func found(ctx context.Context, req micro.Request, n *node.Node, r node.SearchRequest) {
	reply, err := n.Search(ctx, r)
	if err == nil {
		if err = req.RespondJSON(reply); err == nil {
			return
		}
		err = fmt.Errorf("%w: ask for fewer passages", err)
	}
	code := "500"
	switch class, _ := fault.Of(err); {
	case errors.Is(err, node.ErrRequest):
		code = "400"
	case class == fault.Unavailable:
		code = "503"
	}
	refuse(req, code, cli.OneLine(err))
}
