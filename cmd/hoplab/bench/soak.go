package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/memory"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/client"
)

// SoakOptions say how long a pipeline that does nothing is kept busy, and by how
// much what it uses may grow.
type SoakOptions struct {
	For     time.Duration // how long questions are asked
	Rate    float64       // questions a second
	Profile string        // the kind of load
	Every   time.Duration // between two rows
	Warm    time.Duration // until then everything may grow
	Idle    time.Duration // how long the process then rests, before the last row
	Growth  float64       // allowed after Warm, as a share of the level then
	Open    int           // questions open at once
	// Kept is the retention of traces, which bounds how long answers are kept at
	// least too; Messages the bound of traces, and of answers.
	Kept     time.Duration
	Messages uint64
	HeapTo   string // a file for the heap profile at the end
	JSON     bool   // print JSON lines
}

// Level is what the process uses at one time.
type Level struct {
	Seconds    float64 `json:"seconds"`
	Questions  int     `json:"questions"`
	RSS        float64 `json:"rss_mb"`
	Heap       float64 `json:"heap_mb"`
	Disk       float64 `json:"disk_mb"`
	Messages   uint64  `json:"messages"`
	Files      int     `json:"open_files"`
	Goroutines int     `json:"goroutines"`
	Idle       bool    `json:"idle,omitempty"`
}

// Soak keeps a pipeline busy and prints what the process uses as time goes by. It
// fails if one of the figures goes on growing after the time to warm up, if a
// question is not answered, and as wrong use where the options are out of bounds.
func Soak(ctx context.Context, a *cli.App, o SoakOptions) (err error) {
	if err := o.validate(); err != nil {
		return err
	}
	memory.Limit(a.Config.Memory.Limit, a.Log)
	back, stop := context.WithCancel(ctx)
	defer stop()
	go memory.GiveBack(back) // as hopstream up does; ends with stop
	a.Config.NATS.URL = ""
	a.Config.Pipeline.Retention = o.Kept
	a.Config.Pipeline.Deadline = min(a.Config.Pipeline.Deadline, o.Kept*5/6)
	a.Config.Storage.TraceMessages, a.Config.Storage.AnswersMessages = o.Messages, o.Messages
	s, err := nullSession(ctx, a)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r := &soak{SoakOptions: o, app: a, session: s, started: time.Now()}
	r.head()
	for r.since() < o.For {
		if err := r.load(ctx); err != nil {
			return err
		}
		if err := r.row(ctx, false); err != nil {
			return err
		}
	}
	select {
	case <-time.After(o.Idle):
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := r.row(ctx, true); err != nil {
		return err
	}
	return errors.Join(grown(r.levels, o.Warm, o.Growth), (Options{ProfileTo: o.HeapTo}).heap())
}

func (o *SoakOptions) validate() error {
	switch {
	case o.For <= 0 || o.Every <= 0 || o.Warm < 0 || o.Idle < 0 || o.Rate <= 0 || o.Growth <= 0 || o.Open < 1 || o.Messages < 1:
		return cli.Usagef("--for, --every, --rate, --max-growth, --open and --keep-messages are more than 0, --warm and --idle at least 0")
	case o.For < o.Warm+3*o.Every:
		return cli.Usagef("--for %v: at least --warm and three times --every (%v), to see what grows", o.For, o.Warm+3*o.Every)
	case o.Kept < time.Second:
		return cli.Usagef("--keep %v: at least a second", o.Kept)
	}
	return nil
}

// soak is one run.
type soak struct {
	SoakOptions
	app     *cli.App
	session *session.Session
	started time.Time
	asked   int
	levels  []Level
}

func (r *soak) since() time.Duration { return time.Since(r.started) }

// load asks the questions of the time between two rows. Each load is a run of its
// own, so that what a run remembers of its questions does not count.
func (r *soak) load(ctx context.Context) error {
	n := max(1, int(r.Rate*r.Every.Seconds()))
	questions := nullQuestions(r.Profile, n)
	start, next, answered := time.Now(), 0, 0
	var bad error
	err := r.session.Run(ctx, client.Bulk{Window: r.Open,
		Answer: func(an *messages.Answer) {
			if answered++; an.Status != messages.Answered {
				bad = fmt.Errorf("question ended as %s: %s", an.Status, an.Error)
			}
		},
		Reject: func(_ *messages.Question, err error) { bad = err },
	}, func() (*messages.Question, bool) {
		if next == n {
			return nil, false
		}
		due := start.Add(time.Duration(float64(next) / r.Rate * float64(time.Second)))
		select {
		case <-time.After(time.Until(due)):
		case <-ctx.Done():
			return nil, false
		}
		next++
		return &questions[next-1], true
	})
	r.asked += answered
	if err == nil && bad == nil && answered != n {
		bad = fmt.Errorf("%d answers to %d questions", answered, n)
	}
	return errors.Join(err, bad)
}

func (r *soak) head() {
	if r.JSON {
		return
	}
	fmt.Fprintf(r.app.Out, "%s, %s, a file store in this process, %s questions, %.0f a second\n\n", cores(), runtime.Version(), r.Profile, r.Rate)
	fmt.Fprintln(r.app.Out, "| time | questions | RSS MB | heap MB | disk MB | messages | open files | goroutines |\n|"+strings.Repeat("--:|", 8))
}

// row measures and prints what the process uses. The last row is of an idle process.
func (r *soak) row(ctx context.Context, idle bool) error {
	at := r.since() // a load may end late
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	l := Level{Seconds: at.Seconds(), Questions: r.asked, RSS: float64(residentMB()), Heap: float64(m.HeapAlloc) / (1 << 20),
		Files: openFiles(), Goroutines: runtime.NumGoroutine(), Idle: idle}
	bytes, err := sizeOf(r.session.Conn.Folder())
	if err != nil {
		return err
	}
	l.Disk = float64(bytes) / (1 << 20)
	for _, k := range messages.Kinds() {
		st, err := r.session.Log.StreamState(ctx, k)
		if err != nil {
			return err
		}
		l.Messages += st.Msgs
	}
	r.levels = append(r.levels, l)
	if r.JSON {
		return cli.WriteJSON(r.app.Out, l)
	}
	when := at.Round(time.Second).String()
	if idle {
		when += ", idle"
	}
	_, err = fmt.Fprintf(r.app.Out, "| %s | %d | %.0f | %.0f | %.0f | %d | %d | %d |\n", when, l.Questions, l.RSS, l.Heap, l.Disk, l.Messages, l.Files, l.Goroutines)
	return err
}

// sizeOf is how many bytes the files of a folder have. A file that goes meanwhile
// does not count.
func sizeOf(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return bytes, err
}

// openFiles is how many files the process has open; 0 where /proc is not there.
func openFiles() int {
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(all)
}
