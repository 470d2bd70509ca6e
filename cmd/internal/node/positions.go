package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/broker"
	"hopstream/index/docstream"
	"hopstream/stages/client"
)

// Position is how far an index is, as the process that has it tells.
type Position struct {
	Node      string `json:"node"`
	State     string `json:"state"`    // ready, loading or interrupted
	Sequence  uint64 `json:"sequence"` // of the last document taken in
	Behind    uint64 `json:"behind"`   // documents stored and not taken in; status fills it in
	Documents int    `json:"documents"`
	Passages  int    `json:"passages"`
}

// The states of an index. An older build tells none.
const (
	StateReady       = "ready"
	StateLoading     = "loading"     // it has not read all that was stored when it began
	StateInterrupted = "interrupted" // it does not follow the document stream at present
)

func stateOf(p docstream.Progress) string {
	switch {
	case p.Interrupted != "":
		return StateInterrupted
	case p.Loading:
		return StateLoading
	}
	return StateReady
}

// holds reports whether the index has taken in everything up to seq.
func (p Position) holds(seq uint64) bool { return p.Sequence >= seq && p.State != StateInterrupted }

// answerPositions answers requests for the positions of the indexes. For an index
// that processes share, only the process that fills it answers.
func (n *Node) answerPositions() error {
	node := client.NewID()
	_, err := n.Conn.NC.Subscribe(n.Conn.Names.Positions(), func(m *nats.Msg) {
		own := n.Stores.filled()
		if len(own) == 0 {
			return
		}
		p := own.progress()
		b, err := json.Marshal(Position{Node: node, State: stateOf(p), Sequence: p.Applied,
			Documents: own[0].store.Documents(), Passages: own[0].store.Passages()})
		if err == nil {
			_ = m.Respond(b)
		}
	})
	return err // the subscription ends with the connection
}

// Positions asks all indexes how far they are, and waits a little for those
// that answer.
func Positions(ctx context.Context, l *broker.Conn) ([]Position, error) {
	inbox := l.NC.NewInbox()
	sub, err := l.NC.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := l.NC.PublishRequest(l.Names.Positions(), inbox, nil); err != nil {
		return nil, err
	}
	var all []Position
	ctx, cancel := context.WithTimeout(ctx, 400*time.Millisecond)
	defer cancel()
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return all, nil
		}
		var p Position
		if json.Unmarshal(m.Data, &p) == nil && p.Node != "" {
			all = append(all, p)
		}
	}
}

// noIndexWait is how long workers may take to start, or to take over a shared
// index from a process that died, before it counts as missing.
const noIndexWait = 20 * time.Second

// noIndex says that no process with an index answered.
const noIndex = "no worker with an index answers: start one with `hopstream up`"

// explain asks the indexes how far they are, and returns a function that says why
// a question that needs the documents up to need has to wait. The text is empty if
// some index could have answered it.
func explain(ctx context.Context, l *broker.Conn) func(need uint64) string {
	all, err := Positions(ctx, l)
	if err != nil {
		return func(uint64) string { return "" }
	}
	return func(need uint64) string {
		if len(all) == 0 {
			return noIndex
		}
		furthest := all[0]
		for _, p := range all {
			if p.holds(need) && p.State != StateLoading {
				return ""
			}
			if p.Sequence > furthest.Sequence {
				furthest = p
			}
		}
		text := fmt.Sprintf("the index that is furthest has read documents up to %s of %s", docstream.Grouped(furthest.Sequence), docstream.Grouped(max(need, furthest.Sequence)))
		if furthest.State != StateReady && furthest.State != "" {
			text += " and is " + furthest.State
		}
		return text
	}
}

// AwaitIndexes waits until every index that answers has taken in the document
// stored at seq. It fails when ctx ends, and, if an index is needed, when none
// answers for noIndexWait.
func AwaitIndexes(ctx context.Context, l *broker.Conn, seq uint64, needed bool) error {
	for start := time.Now(); ; {
		all, err := Positions(ctx, l)
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
