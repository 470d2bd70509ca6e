package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

func newDead(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dead",
		Short: "List, show, replay or purge dead letters",
		Long: `What a stage cannot process is put, whole and with the reason, into the
dead-letter stream; its question has ended as failed. Letters are named by
their number.

Replaying a question's letter asks the question again under a new ID, since an
ID has exactly one answer; replaying a document's stores the document again. A
letter that was replayed is removed.`,
		Args: exactly(0, "one of ls, show, replay, purge"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("dead wants one of ls, show, replay, purge (see: hopstream dead --help)")
		},
	}
	cmd.AddCommand(newDeadLs(a), newDeadShow(a), newDeadReplay(a), newDeadPurge(a))
	return cmd
}

// letter is a dead letter with its number.
type letter struct {
	Number uint64 `json:"number"`
	*messages.Dead
	Text string `json:"text"` // the message, as text
}

// letters returns the letters with the given numbers, or all of them.
func (s *session) letters(cmd *cobra.Command, numbers []uint64) ([]letter, error) {
	var all []letter
	want := map[uint64]bool{}
	for _, n := range numbers {
		want[n] = true
	}
	for from := uint64(1); ; {
		page, err := s.log.Range(cmd.Context(), messages.KindDead, from, 256)
		if err != nil {
			return nil, err
		}
		for _, st := range page {
			from = st.Seq + 1
			if len(numbers) > 0 && !want[st.Seq] {
				continue
			}
			delete(want, st.Seq)
			m, err := st.Decode(s.link.names)
			if err != nil {
				m = &messages.Dead{Stage: "?", Subject: st.Subject, Error: oneLine(err), Data: st.Data}
			}
			d := m.(*messages.Dead)
			all = append(all, letter{st.Seq, d, strings.ToValidUTF8(string(d.Data), "\uFFFD")})
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

func numbers(args []string) ([]uint64, error) {
	var out []uint64
	for _, arg := range args {
		n, err := strconv.ParseUint(arg, 10, 64)
		if err != nil || n == 0 {
			return nil, usagef("%q is no letter's number (see: hopstream dead ls)", arg)
		}
		out = append(out, n)
	}
	return out, nil
}

// withLetters runs fn over the letters named by args; all says whether no
// args mean every letter.
func (a *app) withLetters(cmd *cobra.Command, args []string, all bool, fn func(*session, []letter) error) error {
	nums, err := numbers(args)
	if err != nil {
		return err
	}
	if len(nums) == 0 && !all {
		return usagef("%s wants the NUMBERs of letters (see: hopstream dead ls, %s --help)", cmd.CommandPath(), cmd.CommandPath())
	}
	return a.inspect(cmd, func(s *session) error {
		found, err := s.letters(cmd, nums)
		if err != nil {
			return err
		}
		return fn(s, found)
	})
}

func newDeadLs(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List the dead letters", Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withLetters(cmd, nil, true, func(_ *session, all []letter) error {
				if asJSON {
					for _, l := range all {
						if err := writeJSON(a.out, l); err != nil {
							return err
						}
					}
					return nil
				}
				w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "number\ttime\tstage\tof\tdeliveries\terror")
				for _, l := range all {
					fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%d\t%.120s\n", l.Number, l.At.Local().Format(time.DateTime), l.Stage, l.ID, l.Deliveries, oneLine(errors.New(l.Error)))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON lines")
	return cmd
}

func newDeadShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER...", Short: "Show letters whole", Example: "  hopstream dead show 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withLetters(cmd, args, false, func(_ *session, found []letter) error {
				for _, l := range found {
					fmt.Fprintf(a.out, "letter %d of stage %s, %s, after %d deliveries\nsubject %s\nerror   %s\n%s\n",
						l.Number, l.Stage, l.At.Format(time.RFC3339), l.Deliveries, l.Subject, l.Error, l.Text)
				}
				return nil
			})
		},
	}
}

func newDeadReplay(a *app) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "replay NUMBER...", Short: "Ask the letters' questions again, under new IDs",
		Example: "  hopstream dead replay 3 4\n  hopstream dead replay --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withLetters(cmd, args, all, func(s *session, found []letter) error {
				failed := false
				for _, l := range found {
					what, err := s.replay(cmd, l)
					if err == nil {
						err = s.removeLetter(cmd, l)
					}
					if err != nil {
						failed = true
						fmt.Fprintf(a.err, "hopstream: letter %d: %s\n", l.Number, oneLine(err))
						continue
					}
					fmt.Fprintf(a.out, "%d\t%s\n", l.Number, what)
				}
				if failed {
					return errSilent
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every letter")
	return cmd
}

// replay puts what died back in, and says what it became.
func (s *session) replay(cmd *cobra.Command, l letter) (string, error) {
	kind, _, err := s.link.names.Parse(l.Subject)
	if err != nil {
		return "", err
	}
	m, err := messages.Decode(kind, l.Data)
	if err != nil {
		return "", fmt.Errorf("it cannot be read, so it cannot be replayed; see `hopstream dead show %d`: %w", l.Number, err)
	}
	if d, ok := m.(*messages.Document); ok {
		pub, err := docstream.NewPublisher(cmd.Context(), s.link.js, s.link.names, docstream.PublishOptions{})
		if err != nil {
			return "", err
		}
		err = pub.Add(*d)
		_, cerr := pub.Close()
		return "document " + d.ID, errors.Join(err, cerr)
	}
	q := &messages.Question{ID: client.NewID()}
	switch m := m.(type) {
	case *messages.Question:
		q.Question, q.Class, q.Strategy = m.Question, m.Class, m.Strategy
	case messages.Carrier:
		q.Question = m.Meta().Question
	}
	if _, err := s.Submit(cmd.Context(), q); err != nil {
		return "", err
	}
	return "question " + q.ID, nil
}

func (s *session) removeLetter(cmd *cobra.Command, l letter) error {
	stream, err := s.link.js.Stream(cmd.Context(), s.link.names.Stream(messages.KindDead))
	if err != nil {
		return err
	}
	err = stream.DeleteMsg(cmd.Context(), l.Number)
	if errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, log.ErrNotFound) {
		return nil
	}
	return err
}

func newDeadPurge(a *app) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "purge NUMBER...", Short: "Remove letters", Example: "  hopstream dead purge --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withLetters(cmd, args, all, func(s *session, found []letter) error {
				for _, l := range found {
					if err := s.removeLetter(cmd, l); err != nil {
						return fmt.Errorf("letter %d: %w", l.Number, err)
					}
				}
				fmt.Fprintln(a.out, plural(len(found), "letter"), "removed")
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every letter")
	return cmd
}
