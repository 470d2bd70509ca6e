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

// Ask asks q, giving it an ID if it has none, prints the ID, and, if standard error
// is a terminal, its hops and the text of the answer while a model writes it, which
// is taken off again; and returns the answer. It fails where none comes
// within the deadline (timeout; 0: the configuration's), and with an interruption
// when ctx ends.
func (s *Session) Ask(ctx context.Context, q *messages.Question, timeout time.Duration) (*messages.Answer, error) {
	if q.ID == "" {
		q.ID = client.NewID()
	}
	live := cli.Terminal(s.App.Err)
	if live {
		s.sayID(q.ID)
		stop, err := s.showLive(q.ID)
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
	if errors.Is(err, context.Canceled) {
		return nil, s.interrupted(q.ID, errors.Is(err, client.ErrOpen))
	}
	if err == nil && !live { // an error names it, and is one line
		s.sayID(q.ID)
	}
	return a, err
}

// showLive shows a question's hops on standard error as they pass, and below them
// the text of its answer where the terminal can take it off again, until stop is
// called.
func (s *Session) showLive(id string) (stop func(), err error) {
	live := render.NewLive(s.App.Err, func() int { return cli.Width(s.App.Err) })
	noHops, err := render.ShowHops(s.Conn.NC, s.Conn.Names, id, live)
	if err != nil || !cli.Styled(s.App.Err) {
		return noHops, err
	}
	noText, err := s.Client.FollowText(id, func(t client.Text) { live.Add(t.Text, t.Reset) })
	if err != nil {
		noHops()
		return nil, err
	}
	return func() {
		noHops()
		noText()
		live.Clear()
	}, nil
}

// interrupted says what becomes of a question that nobody waits for any more,
// and how to get its answer. stored tells whether it was asked at all.
func (s *Session) interrupted(id string, stored bool) error {
	switch {
	case !stored:
		return cli.Interruptedf("the question was not asked")
	case s.private:
		return cli.Interruptedf("the question ended with this command, which leaves nothing behind")
	case s.Conn.Own:
		return cli.Interruptedf("question %s stays stored, and goes on when workers run again before its deadline (hopstream up); its answer then: hopstream trace %[1]s", id)
	}
	return cli.Interruptedf("question %s goes on; its answer, when there is one: hopstream trace %[1]s", id)
}

// sayID writes a question's ID to standard error, faint on a terminal, unless
// the question ends with this command and nobody can look it up.
func (s *Session) sayID(id string) {
	if s.private {
		return
	}
	line := "question " + id
	if cli.Styled(s.App.Err) {
		line = render.Dim(line)
	}
	fmt.Fprintln(s.App.Err, line)
}
