package bulk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/client"
)

// Options say what to answer, where to, and how.
type Options struct {
	Docs    []string // index these first
	In, Out string   // files; - or nothing: standard input and output
	Resume  bool     // skip what Out holds already, and append
	Force   bool     // replace what Out holds
	Strict  bool     // refuse lines with unknown fields
	Window  int      // questions open at once
	// Priority of questions whose lines name none; they are one of many unless told.
	Priority messages.Priority
	// Tenant of questions whose lines name none; empty: the default one.
	Tenant string
}

// Run answers the questions of o.In and writes their answers to o.Out as they
// come. It fails as wrong use where o.Out holds something and o says neither to
// resume nor to replace it, with cli.ErrSilent where some questions were refused,
// which was reported, and otherwise where reading, writing or the pipeline failed.
func Run(ctx context.Context, a *cli.App, o Options) (err error) {
	in, err := cli.OpenIn(a.In, o.In)
	if err != nil {
		return err
	}
	defer in.Close()
	st := &streamer{app: a, o: o, in: NewLines(in), unknown: map[string]bool{}, answered: map[messages.Status]int{}}
	out, err := st.openOut()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	st.out = bufio.NewWriterSize(out, 64<<10)
	s, err := session.Open(ctx, a, session.Options{Docs: o.Docs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()

	st.bar = a.Progress(cli.CountLines(in), "answering", false)
	defer s.HintWhenStill(ctx, session.StillFor, st.settled)()
	err = s.Run(ctx, client.Bulk{Window: o.Window, Answer: st.answer, Reject: st.reject}, st.next)
	_ = st.bar.Finish()
	st.mu.Lock()
	st.ended = true
	if st.err == nil {
		st.wrote(st.out.Flush())
	}
	st.mu.Unlock()
	fmt.Fprintln(a.Err, st.summary())
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted: run again with --resume for the rest")
		if o.Out == "" || o.Out == "-" {
			err = errors.New("interrupted: with --out FILE, --resume goes on where a run stopped")
		}
	}
	err = errors.Join(err, st.err)
	if err == nil && st.rejected > 0 {
		return cli.ErrSilent
	}
	return err
}

// openOut opens the output; with o.Resume it is appended to, and what it holds is
// known. Answers that took hours to get are not overwritten unasked.
func (st *streamer) openOut() (io.WriteCloser, error) {
	if st.o.Out == "-" || st.o.Out == "" {
		return cli.NopCloser{Writer: st.app.Out}, nil
	}
	if !st.o.Resume {
		info, err := os.Stat(st.o.Out)
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 && !st.o.Force {
			return nil, cli.Usagef("%s is there already: add --resume to go on with it, or --force to replace it", st.o.Out)
		}
		return os.Create(st.o.Out)
	}
	f, err := os.OpenFile(st.o.Out, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if st.done, err = readDone(f); err != nil {
		return nil, errors.Join(fmt.Errorf("--resume from %s: %w", st.o.Out, err), f.Close())
	}
	return f, nil
}
