package papers

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"hopstream/cmd/hoplab/report"
)

// Compared is a published figure beside ours.
type Compared struct {
	Row       string  `json:"row"`
	Data      string  `json:"data"`
	Metric    string  `json:"metric"` // its key
	Name      string  `json:"name"`   // as tables call it
	Published float64 `json:"published"`
	Ours      float64 `json:"ours"`
	Questions int     `json:"questions"` // ours is of so many; 0: not measured
}

// Compare returns every published figure of the rows that were run, with ours.
func (m *Measured) Compare() []Compared {
	var out []Compared
	names := map[string]string{}
	for _, metric := range report.Metrics() {
		names[metric.Key] = metric.Name
	}
	for _, r := range m.Paper.Rows {
		for _, f := range r.Figures {
			at := slices.IndexFunc(m.Runs, func(run report.Run) bool { return run.Preset == r.Name && run.Data == f.Data })
			if at < 0 {
				continue
			}
			mean := m.Runs[at].Total.Means[f.Metric]
			out = append(out, Compared{Row: r.Name, Data: f.Data, Metric: f.Metric, Name: names[f.Metric], Published: f.Value, Ours: mean.Value, Questions: mean.N})
		}
	}
	return out
}

// JSON is what was measured, as it is written: the published figures beside ours,
// and all of ours.
func (m *Measured) JSON() any {
	return struct {
		Paper    string       `json:"paper"`
		Compared []Compared   `json:"compared"`
		Missing  []string     `json:"missing"`   // data sets
		Wire     bool         `json:"simulated"` // a simulated model answered, on a sample
		Runs     []report.Run `json:"runs"`
	}{m.Paper.Name, append([]Compared{}, m.Compare()...), append([]string{}, m.Missing...), m.Wire, m.Runs}
}

// Write writes the figures for people.
func (m *Measured) Write(w io.Writer) error {
	if m.Wire {
		return m.writeWire(w)
	}
	return m.writeBeside(w)
}

// writeWire writes what rows asked a simulated model for, and what is missing for
// figures.
func (m *Measured) writeWire(w io.Writer) error {
	if err := report.Table(w, m.Runs, report.TableOptions{Totals: true}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, `
These are the builtin engine's answers, given as a simulated model's, to a few
questions over a sample: they show that the rows run, and how many calls they
take. For figures beside the published ones (%s), name a model and data sets:
  hoplab papers %s --engine ollama --model NAME %s
%s
`, m.Paper.Model, m.Paper.Name, "./"+strings.Join(m.Missing, " ./"), m.Paper.Lacks)
	return err
}

// writeBeside writes the published figures beside ours, a line for each row and
// data set, and what is missing.
func (m *Measured) writeBeside(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "row\tdata\tmetric\tpublished\tours\tquestions\t")
	for _, c := range m.Compare() {
		ours := "–"
		if c.Questions > 0 {
			ours = fmt.Sprintf("%.2f", c.Ours)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\t%s\t%d\t\n", c.Row, c.Data, c.Name, c.Published, ours, c.Questions)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	lines := []string{"Published with " + m.Paper.Model + ". " + m.Paper.Lacks}
	if len(m.Runs) > 0 {
		lines = append(lines, "Ours: engine "+m.Runs[0].Engine+".")
	}
	if len(m.Missing) > 0 {
		lines = append(lines, "Not given, so not measured: "+strings.Join(m.Missing, ", ")+".")
	}
	_, err := fmt.Fprintf(w, "\n%s\n", strings.Join(lines, "\n"))
	return err
}
