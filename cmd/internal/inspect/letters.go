package inspect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// Letter is a dead letter with its number.
type Letter struct {
	Number uint64 `json:"number"`
	*messages.Dead
	Text string `json:"text"` // the message, as text
}

// Letters returns the letters with the given numbers, or all of them.
func Letters(ctx context.Context, s *session.Session, numbers []uint64) ([]Letter, error) {
	var all []Letter
	want := map[uint64]bool{}
	for _, n := range numbers {
		want[n] = true
	}
	for from := uint64(1); ; {
		page, err := s.Log.Range(ctx, messages.KindDead, from, 256)
		if err != nil {
			return nil, err
		}
		for _, st := range page {
			from = st.Seq + 1
			if len(numbers) > 0 && !want[st.Seq] {
				continue
			}
			delete(want, st.Seq)
			m, err := st.Decode(s.Conn.Names)
			if err != nil {
				m = &messages.Dead{Stage: "?", Subject: st.Subject, Error: cli.OneLine(err), Data: st.Data}
			}
			d := m.(*messages.Dead)
			all = append(all, Letter{st.Seq, d, strings.ToValidUTF8(string(d.Data), "\uFFFD")})
		}
		if len(page) < 256 {
			break
		}
	}
	for n := range want {
		return nil, fmt.Errorf("there is no dead letter %d (see: hopstream dead ls)", n)
	}
	return all, nil
}

// Replay puts a dead message back into the pipeline, and says as what.
func Replay(ctx context.Context, s *session.Session, l Letter) (string, error) {
	kind, _, err := s.Conn.Names.Parse(l.Subject)
	if err != nil {
		return "", err
	}
	m, err := messages.Decode(kind, l.Data)
	if err != nil {
		return "", fmt.Errorf("it cannot be read, so it cannot be replayed; see `hopstream dead show %d`: %w", l.Number, err)
	}
	if d, ok := m.(*messages.Document); ok {
		var refused error
		pub, err := docstream.NewPublisher(ctx, s.Conn.JS, s.Conn.Names, docstream.PublishOptions{
			Replace: true, OnError: func(_ string, err error) { refused = err },
		})
		if err != nil {
			return "", err
		}
		err = pub.Add(*d)
		_, cerr := pub.Close()
		return "document " + d.ID, errors.Join(err, cerr, refused)
	}
	q := &messages.Question{ID: client.NewID()}
	switch m := m.(type) {
	case *messages.Question:
		q.Question, q.Class, q.Strategy = m.Question, m.Class, m.Strategy
	case messages.Carrier:
		q.Question = m.Meta().Question
	}
	if _, err := s.Submit(ctx, q); err != nil {
		return "", err
	}
	return "question " + q.ID, nil
}

// RemoveLetter takes l out of the dead-letter stream; one that is gone already is
// no error.
func RemoveLetter(ctx context.Context, s *session.Session, l Letter) error {
	stream, err := s.Conn.JS.Stream(ctx, s.Conn.Names.Stream(messages.KindDead))
	if err != nil {
		return err
	}
	err = stream.DeleteMsg(ctx, l.Number)
	if errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, log.ErrNotFound) {
		return nil
	}
	return err
}
