package rules

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"hopstream/cmd/internal/cli"
)

// Options say what to ask, and how to report.
type Options struct {
	Source   string   // folder of the project's source
	Limit    int      // questions of each data set; 0: all
	JSON     bool     // report as JSON lines
	Markdown bool     // report as a table in Markdown
	Args     []string // the arguments of the command that is run, without the program
}

// Result is what one rule does.
type Result struct {
	Rule
	Effects []Effect `json:"effects"` // of the sets of which questions come by it
	// Needed is set where nothing can be asked without it.
	Needed bool `json:"needed,omitempty"`
}

// fromVariable tells the program with switches how many there are, and which to
// begin with.
const fromVariable = "HOPLAB_RULES"

// Run builds the program with a switch at every rule and list of the engine, has it
// ask the questions of the data sets at paths, and reports what each rule changes.
// It fails if the source cannot be built.
func Run(ctx context.Context, a *cli.App, o Options, paths []string) error {
	if sw := engineSwitches(); sw.turn != nil {
		var rules, from int
		if _, err := fmt.Sscan(os.Getenv(fromVariable), &rules, &from); err != nil {
			return fmt.Errorf("%s: %w", fromVariable, err)
		}
		return ask(ctx, a, sw, o, paths, rules, from, a.Out)
	}
	if o.Limit < 0 {
		return cli.Usagef("--limit %d: at least 0", o.Limit)
	}
	if _, err := os.Stat(filepath.Join(o.Source, "stages", "engine", "builtin")); err != nil {
		return cli.Usagef("--source %s: the project's source is not there", o.Source)
	}
	root, err := filepath.Abs(o.Source)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hoplab-rules-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "hoplab")
	rules, err := build(ctx, root, dir, program)
	if err != nil {
		return err
	}
	results, sizes, err := collect(ctx, a, program, rules, o)
	if err != nil {
		return err
	}
	return write(a.Out, results, sizes, o)
}

// leastWait is how long a rule may take at least, whatever all questions take.
const leastWait = 5 * time.Second

// collect runs the program with switches until it has told of every rule. If it
// breaks off, or takes longer over some questions without a rule than it did over
// all of them one by one, it needs that rule, and the next is begun with.
func collect(ctx context.Context, a *cli.App, program string, rules []Rule, o Options) ([]Result, []Effect, error) {
	bar := a.Progress(int64(len(rules)), "asking without each rule", false)
	defer func() { _ = bar.Finish() }()
	results := make([]Result, len(rules))
	for i := range rules {
		results[i].Rule = rules[i]
	}
	var sizes []Effect
	for from := 0; from < len(rules); {
		began := false
		err := tell(ctx, a, program, fmt.Sprintf("%d %d", len(rules), from), o, func(m measured) {
			if m.Rule < 0 {
				sizes, began = m.Effects, true
				return
			}
			results[m.Rule].Effects = m.Effects
			from = m.Rule + 1
			_ = bar.Add(1)
		})
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil && !began:
			return nil, nil, err
		case err != nil && from < len(rules):
			results[from].Needed = true
			from++
			_ = bar.Add(1)
		}
	}
	slices.SortStableFunc(results, func(a, b Result) int {
		x, y := total(a.Effects), total(b.Effects)
		return cmp.Or(x.Worse-x.Better-(y.Worse-y.Better), x.Changed-y.Changed)
	})
	return results, sizes, nil
}

// tell runs the program with switches and hands over what it tells, line by line.
func tell(ctx context.Context, a *cli.App, program, from string, o Options, each func(measured)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, o.Args...)
	cmd.Env = append(os.Environ(), fromVariable+"="+from)
	last := &tail{}
	cmd.Stderr = last
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var late *time.Timer
	var wait time.Duration
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m measured
		if err = json.Unmarshal(lines.Bytes(), &m); err != nil {
			break
		}
		if late == nil {
			wait = max(leastWait, m.Took)
			late = time.AfterFunc(wait, cancel)
			defer late.Stop()
		}
		late.Reset(wait)
		each(m)
	}
	_, _ = io.Copy(io.Discard, out)
	if err := errors.Join(err, lines.Err(), cmd.Wait()); err != nil {
		return fmt.Errorf("the program with switches: %w\n%s", err, last.text)
	}
	return nil
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-4096):]
	return len(p), nil
}
