package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/render"
	"hopstream/messages"
	"hopstream/stages/client"
)

// Ask asks q, giving it an ID if it has none, prints its hops if standard error is
// a terminal, and returns the answer. It fails where none comes within the deadline
// (timeout; 0: the configuration's), or when ctx ends.
func (s *Session) Ask(ctx context.Context, q *messages.Question, timeout time.Duration) (*messages.Answer, error) {
	if q.ID == "" {
		q.ID = client.NewID()
	}
	if cli.Terminal(s.App.Err) {
		stop, err := render.ShowHops(s.Conn.NC, s.Conn.Names, q.ID, s.App.Err)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	follow, err := s.Follow(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer follow.Close()
	if timeout <= 0 {
		timeout = s.App.Config.Pipeline.Deadline
	}
	// The pipeline itself ends the question at its deadline; waiting longer
	// would mean that no workers are there.
	wait, cancel := context.WithTimeout(ctx, timeout+15*time.Second)
	defer cancel()
	defer s.HintWhenStill(ctx, StillFor, func() int { return 0 })()
	a, err := follow.Ask(wait, s.Client, q)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("no answer to question %s within %v: are workers running? (hopstream status)", q.ID, timeout)
	}
	if errors.Is(err, context.Canceled) && !s.private {
		return nil, fmt.Errorf("interrupted: question %s goes on (hopstream trace %s)", q.ID, q.ID)
	}
	return a, err
}
