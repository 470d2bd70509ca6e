package main

import (
	"context"
	"errors"
	"fmt"
	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator"
	"hopstream/cmd/internal/cli"
	"hopstream/messages"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// revelatorFlags are what the command is told.
type revelatorFlags struct {
	out       string
	force     bool
	seed      uint64
	shares    revelator.Shares
	roles     []string
	negatives int
	limit     int
}

func (f *revelatorFlags) check() (roles []revelator.Role, err error) {
	if f.shares.Dev < 0 || f.shares.Test < 0 || !(f.shares.Dev+f.shares.Test < 1) {
		return nil, cli.Usagef("--dev %v and --test %v: give shares from 0 to 1 that leave something to train with", f.shares.Dev, f.shares.Test)
	}
	if f.negatives < 1 || f.negatives > 50 {
		return nil, cli.Usagef("--negatives %d: give 1 to 50", f.negatives)
	}
	for _, r := range revelator.Roles() { // in their own order, each once
		if len(f.roles) == 0 || slices.Contains(f.roles, string(r)) {
			roles = append(roles, r)
		}
	}
	for _, name := range f.roles {
		if !slices.Contains(roles, revelator.Role(name)) {
			return nil, cli.Usagef("there is no role %q to train: choose from %v", name, revelator.Roles())
		}
	}
	return roles, nil
}

func makeRevelatorData(ctx context.Context, a *cli.App, f revelatorFlags, args []string) error {
	roles, err := f.check()
	if err != nil {
		return err
	}
	if err := mayWrite(f.out, f.force, args); err != nil {
		return err
	}
	sets, inputs, err := readSets(ctx, a, args)
	if err != nil {
		return err
	}
	bar := a.Progress(-1, "searching", false)
	made, err := revelator.Build(ctx, sets, revelator.Options{Seed: f.seed, Shares: f.shares, Roles: roles, Negatives: f.negatives,
		Progress: func(done, total int) {
			bar.ChangeMax(total)
			_ = bar.Set(done)
		}})
	_ = bar.Finish()
	if _, missing := errors.AsType[revelator.Missing](err); missing {
		return cli.Usage(err)
	}
	if err != nil {
		return err
	}
	if err := writeFolder(f.out, func(dir string) error { return made.Write(dir, inputs) }); err != nil {
		return err
	}
	return tellMade(a, f.out, made)
}

func tellMade(a *cli.App, out string, made *revelator.Made) error {
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "role\ttrain\tdev\ttest\t")
	for _, role := range made.Options.Roles {
		by := made.Examples[role]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", role, len(by[revelator.Train]), len(by[revelator.Dev]), len(by[revelator.Test]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range made.Sets {
		if n := s.Questions[""]; n > 0 {
			fmt.Fprintf(a.Err, "%s: %d questions of no known class were left out: give it as CLASS=PATH\n", s.Name, n)
		}
	}
	_, err := fmt.Fprintf(a.Out, "written to %s\n", out)
	return err
}

func makeCompoundData(ctx context.Context, a *cli.App, f revelatorFlags, args []string) error {
	if f.limit < 0 {
		return cli.Usagef("--limit %d: give a number of questions, or 0 for all", f.limit)
	}
	if err := mayWrite(f.out, f.force, args); err != nil {
		return err
	}
	sets, inputs, err := readSets(ctx, a, args)
	if err != nil {
		return err
	}
	made := revelator.Compounds(sets, revelator.CompoundOptions{Seed: f.seed, Limit: f.limit})
	if len(made.Questions) == 0 {
		return fmt.Errorf("no two simple questions about one thing: give sets of single-step questions with gold passages and their corpus (single=PATH)")
	}
	if err := writeFolder(f.out, func(dir string) error { return made.Write(dir, f.seed, inputs) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "%d compound questions about %d things, %d documents, written to %s\n",
		len(made.Questions), made.Entities, len(made.Documents), f.out)
	return err
}

// readSets reads the data sets that args name, and what identifies them.
func readSets(ctx context.Context, a *cli.App, args []string) ([]revelator.Set, []revelator.Input, error) {
	bar := a.Progress(int64(len(args)), "reading", false)
	defer func() { _ = bar.Finish() }()
	var sets []revelator.Set
	var inputs []revelator.Input
	names := map[string]bool{}
	for _, arg := range args {
		path, class, err := classAndPath(arg)
		if err != nil {
			return nil, nil, err
		}
		set, err := readSet(ctx, path, class)
		if err != nil {
			return nil, nil, err
		}
		if names[set.Name] {
			set.Name = path
		}
		names[set.Name] = true
		files, err := hashInputs(path)
		if err != nil {
			return nil, nil, err
		}
		sets, inputs = append(sets, set), append(inputs, files...)
		_ = bar.Add(1)
	}
	return sets, inputs, nil
}

// classAndPath takes CLASS=PATH apart; a path may hold an equals sign itself.
func classAndPath(arg string) (path string, class messages.Class, err error) {
	name, rest, ok := strings.Cut(arg, "=")
	switch {
	case ok && messages.Class(name).Valid() && rest != "":
		return rest, messages.Class(name), nil
	case !ok:
		return arg, "", nil
	}
	if _, err := os.Stat(arg); err != nil {
		return "", "", cli.Usagef("%s: there is no class %q: write CLASS=PATH with one of %v, or a PATH alone", arg, name, messages.Classes())
	}
	return arg, "", nil
}

func readSet(ctx context.Context, path string, class messages.Class) (revelator.Set, error) {
	from, err := dataset.Open(path, 0)
	if err != nil {
		return revelator.Set{}, err
	}
	set := revelator.Set{Name: from.Name, Class: class, Questions: from.Questions}
	for d, err := range from.Documents() {
		if errors.Is(err, fs.ErrNotExist) { // questions alone: enough for some roles
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return revelator.Set{}, err
		}
		set.Documents = append(set.Documents, d)
	}
	return set, nil
}
