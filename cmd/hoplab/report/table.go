package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"hopstream/messages"
)

// TableOptions say which columns a table has besides the usual ones, and its
// format.
type TableOptions struct {
	Funnel    bool // what is left of the gold behind each stage
	Intervals bool // confidence intervals beside the means
	Markdown  bool // in place of aligned columns
	Totals    bool // the data sets whole, without their types
}

// column is a table's column.
type column struct {
	name string
	cell func(*Figures) string
}

// Table writes runs side by side, each with its types below it.
func Table(w io.Writer, runs []Run, o TableOptions) error {
	cols := columns(runs, o)
	presets := severalPresets(runs)
	head := []string{"data"}
	if presets {
		head = append(head, "preset")
	}
	for _, c := range cols {
		head = append(head, c.name)
	}
	rows := [][]string{}
	add := func(name, preset string, f *Figures) {
		row := []string{name}
		if presets {
			row = append(row, preset)
		}
		for _, c := range cols {
			row = append(row, c.cell(f))
		}
		rows = append(rows, row)
	}
	for i := range runs {
		r := &runs[i]
		add(r.Data, r.Preset, r.Total)
		if len(r.Types) > 1 && !o.Totals {
			for _, t := range slices.Sorted(maps.Keys(r.Types)) {
				add("  "+t, r.Preset, r.Types[t])
			}
		}
	}
	write := aligned
	if o.Markdown {
		write = markdown
	}
	if err := write(w, head, rows); err != nil {
		return err
	}
	for i := range runs {
		if _, err := fmt.Fprintln(w, footnote(&runs[i], len(runs) > 1)); err != nil {
			return err
		}
	}
	return nil
}

// columns returns a table's columns: those that are always there, and those of
// metrics that at least one run has values for.
func columns(runs []Run, o TableOptions) []column {
	cols := []column{{"questions", func(f *Figures) string { return fmt.Sprint(f.Questions) }}}
	add := func(ms []Metric, from func(*Figures) map[string]Mean, want func(Metric) bool) {
		for _, m := range ms {
			if want(m) {
				cols = append(cols, column{m.Name, func(f *Figures) string { return m.cell(from(f), o.Intervals) }})
			}
		}
	}
	of := func(f *Figures) map[string]Mean { return f.Means }
	add(Metrics(), of, func(m Metric) bool { return m.always })
	cols = append(cols,
		column{"p50 ms", func(f *Figures) string { return fmt.Sprintf("%.0f", f.P50MS) }},
		column{"p95 ms", func(f *Figures) string { return fmt.Sprintf("%.0f", f.P95MS) }})
	add(Metrics(), of, func(m Metric) bool {
		return !m.always && (!m.detail || o.Funnel) && slices.ContainsFunc(runs, func(r Run) bool { return r.Total.Means[m.Key].N > 0 })
	})
	if slices.ContainsFunc(runs, func(r Run) bool { return r.Total.AUROC != nil }) {
		cols = append(cols, column{"AUROC", func(f *Figures) string {
			if f.AUROC == nil {
				return "–"
			}
			return fmt.Sprintf("%.3f", *f.AUROC)
		}})
	}
	if o.Funnel {
		add(Funnel(), func(f *Figures) map[string]Mean { return f.Funnel }, func(Metric) bool { return true })
	}
	return cols
}

// cell is the mean as text; – where it applies to no question.
func (m *Metric) cell(means map[string]Mean, intervals bool) string {
	v := means[m.Key]
	if v.N == 0 {
		return "–"
	}
	format := "%.1f"
	switch m.Key {
	case "steps", "h_mix":
		format = "%.2f"
	case "tokens":
		format = "%.0f"
	}
	text := fmt.Sprintf(format, v.Value)
	if intervals {
		text += fmt.Sprintf(" ("+format+"–"+format+")", v.Low, v.High)
	}
	return text
}

func severalPresets(runs []Run) bool {
	return slices.ContainsFunc(runs, func(r Run) bool { return r.Preset != runs[0].Preset })
}

// footnote is a run's line below the table.
func footnote(r *Run, named bool) string {
	out := fmt.Sprintf("engine %s · classes %v · %v", r.Engine, Counts(r.Total.Class), Counts(r.Total.Status))
	if named {
		out = r.Name() + ": " + out
	}
	if n := r.Total.Means["ac"].N; n > 0 { // AC is of the questions that ask for several things
		out += fmt.Sprintf(" · Acc is the share of the things asked for, where a question asks for several (%d)", n)
	}
	if r.Withheld {
		out += fmt.Sprintf(" · gold withheld, %d questions without known gold left out", r.LeftOut)
	}
	if router := r.Total.Router; router != nil {
		out += fmt.Sprintf(" · router %.1f %% right: %s", router.Accuracy, confusions(router))
	}
	return out
}

// confusions are the cells beside the diagonal, by gold class.
func confusions(r *Router) string {
	var out []string
	labels := r.Confusion.Labels(classNames()...)
	for _, gold := range labels {
		for _, routed := range labels {
			if n := r.Confusion[gold][routed]; n > 0 && gold != routed {
				out = append(out, fmt.Sprintf("%d %s as %s", n, gold, orNone(routed)))
			}
		}
	}
	if len(out) == 0 {
		return "none confused"
	}
	return strings.Join(out, ", ")
}

func classNames() []string {
	var out []string
	for _, c := range messages.Classes() {
		out = append(out, string(c))
	}
	return out
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func aligned(w io.Writer, head []string, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	for _, row := range append([][]string{head}, rows...) {
		fmt.Fprintln(t, strings.Join(row, "\t")+"\t")
	}
	return t.Flush()
}

func markdown(w io.Writer, head []string, rows [][]string) error {
	line := func(cells []string) string {
		safe := make([]string, len(cells))
		for i, c := range cells {
			safe[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(strings.Replace(c, "  ", "&emsp;", 1))
		}
		return "| " + strings.Join(safe, " | ") + " |\n"
	}
	out := line(head) + "|" + strings.Repeat("---|", len(head)) + "\n"
	for _, row := range rows {
		out += line(row)
	}
	_, err := io.WriteString(w, out+"\n")
	return err
}
