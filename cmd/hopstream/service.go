package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// askService answers requests on the ask subject: the question as JSON, as it
// would be published; the reply is the answer. Any number of processes may
// run it; a request reaches one.
//
//	nats req hop.ask '{"question":"Where was Marie Curie born?"}'
func (n *node) askService(ctx context.Context) (stop func() error, err error) {
	follow, err := n.client.Follow(ctx, nil)
	if err != nil {
		return nil, err
	}
	handle := func(req micro.Request) {
		m, err := messages.Decode(messages.KindQuestion, req.Data())
		if err != nil {
			_ = req.Error("400", oneLine(err), nil)
			return
		}
		go n.reply(ctx, follow, req, m.(*messages.Question)) // ends with ctx or the answer
	}
	svc, err := micro.AddService(n.link.nc, micro.Config{
		Name: "hopstream", Version: "1.0.0", Description: "Answers questions over the indexed documents",
		Endpoint: &micro.EndpointConfig{Subject: n.link.names.Ask(), Handler: micro.HandlerFunc(handle)},
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

func (n *node) reply(ctx context.Context, f *client.Follower, req micro.Request, q *messages.Question) {
	a, err := f.Ask(ctx, n.client, q)
	switch {
	case errors.Is(err, client.ErrClash):
		_ = req.Error("409", oneLine(err), nil)
	case errors.Is(err, log.ErrFull):
		_ = req.Error("503", oneLine(err), nil)
	case err != nil:
		_ = req.Error("500", oneLine(err), nil)
	default:
		data, err := messages.Encode(a)
		if err != nil {
			_ = req.Error("500", oneLine(err), nil)
			return
		}
		_ = req.Respond(data)
	}
}

// position is what a process with an index tells of it.
type position struct {
	Node      string `json:"node"`
	State     string `json:"state"`    // ready, loading or interrupted
	Sequence  uint64 `json:"sequence"` // of the last document taken in
	Behind    uint64 `json:"behind"`   // documents stored and not taken in; status fills it in
	Documents int    `json:"documents"`
	Passages  int    `json:"passages"`
}

// The states of an index. An older build tells none.
const (
	stateReady       = "ready"
	stateLoading     = "loading"     // it has not read all that was stored when it began
	stateInterrupted = "interrupted" // it does not follow the document stream at present
)

func stateOf(p docstream.Progress) string {
	switch {
	case p.Interrupted != "":
		return stateInterrupted
	case p.Loading:
		return stateLoading
	}
	return stateReady
}

// holds reports whether the index has taken in everything up to seq.
func (p position) holds(seq uint64) bool { return p.Sequence >= seq && p.State != stateInterrupted }

// answerPositions answers everybody who asks how far the indexes are. Of an
// index that processes share only the one that fills it tells.
func (n *node) answerPositions() error {
	node := client.NewID()
	_, err := n.link.nc.Subscribe(n.link.names.Positions(), func(m *nats.Msg) {
		own := n.shelves.filled()
		if len(own) == 0 {
			return
		}
		p := own.progress()
		b, err := json.Marshal(position{Node: node, State: stateOf(p), Sequence: p.Applied,
			Documents: own[0].store.Documents(), Passages: own[0].store.Passages()})
		if err == nil {
			_ = m.Respond(b)
		}
	})
	return err // the subscription ends with the connection
}

// positions asks all indexes how far they are, and waits a little for those
// that answer.
func (l *link) positions(ctx context.Context) ([]position, error) {
	inbox := nats.NewInbox()
	sub, err := l.nc.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := l.nc.PublishRequest(l.names.Positions(), inbox, nil); err != nil {
		return nil, err
	}
	var all []position
	ctx, cancel := context.WithTimeout(ctx, 400*time.Millisecond)
	defer cancel()
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return all, nil
		}
		var p position
		if json.Unmarshal(m.Data, &p) == nil && p.Node != "" {
			all = append(all, p)
		}
	}
}

// noIndexWait is how long workers may take to start, or to take over a shared
// index from a process that died, before an index is missed.
const noIndexWait = 20 * time.Second

// noIndex says that nobody told of an index.
const noIndex = "no worker with an index answers: start one with `hopstream up`"

// explain asks the indexes how far they are. What it returns says why a
// question waits that needs the documents up to need; it is empty where some
// index could have answered it.
func (l *link) explain(ctx context.Context) func(need uint64) string {
	all, err := l.positions(ctx)
	if err != nil {
		return func(uint64) string { return "" }
	}
	return func(need uint64) string {
		if len(all) == 0 {
			return noIndex
		}
		furthest := all[0]
		for _, p := range all {
			if p.holds(need) && p.State != stateLoading {
				return ""
			}
			if p.Sequence > furthest.Sequence {
				furthest = p
			}
		}
		text := fmt.Sprintf("the index that is furthest has read documents up to %s of %s", docstream.Grouped(furthest.Sequence), docstream.Grouped(max(need, furthest.Sequence)))
		if furthest.State != stateReady && furthest.State != "" {
			text += " and is " + furthest.State
		}
		return text
	}
}

// awaitIndexes waits until every index that answers has taken in the document
// stored at seq. Where none answers it fails, if one is needed.
func (l *link) awaitIndexes(ctx context.Context, seq uint64, needed bool) error {
	for start := time.Now(); ; {
		all, err := l.positions(ctx)
		if err != nil {
			return err
		}
		behind := 0
		for _, p := range all {
			if !p.holds(seq) {
				behind++
			}
		}
		switch {
		case len(all) == 0 && !needed, len(all) > 0 && behind == 0:
			return nil
		case len(all) == 0 && time.Since(start) > noIndexWait:
			return errors.New("the documents are stored, but " + noIndex)
		case ctx.Err() != nil:
			return fmt.Errorf("%d of %d indexes are behind: %w", behind, len(all), ctx.Err())
		}
	}
}
