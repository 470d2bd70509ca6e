package papers

import (
	"slices"

	"hopstream/cmd/internal/config"
)

// Paper is one of the four systems.
type Paper struct {
	// Name is the preset's.
	Name string
	// Title is the paper's, and Source where it can be found.
	Title, Source string
	// Model is what the figures were measured with.
	Model string
	Rules []Rule
	Rows  []Row
	// Lacks says what of the paper's benchmarks cannot be run, and why.
	Lacks string
}

// Rule is something that a paper says of its system, and what we do.
type Rule struct {
	// What is the paper's rule, Where the place that says it.
	What, Where string
	// Ours says in words what we do.
	Ours string
	// Settings are the preset's that keep the rule, by their keys.
	Settings []Setting
	// Tests are the names of the tests that fail if the rule does not hold.
	Tests []string
	// Choice says why we differ; it is empty where we do not.
	Choice string
}

// Setting is a key of the configuration and the value that it has in a preset.
type Setting struct {
	Key  string
	Want any
}

// Row is a line of a paper's tables that can be measured: the system, or the
// system with something left out.
type Row struct {
	Name string
	// Where is the table.
	Where string
	// Change makes the row's configuration of the preset's; nil leaves it.
	Change func(*config.Config)
	// Gold is set if the questions' gold classes are needed (an oracle router).
	Gold    bool
	Figures []Figure
}

// Figure is a published number of a row: of a metric, by its key in the report of
// hoplab eval, on a data set, by its folder's name.
type Figure struct {
	Data, Metric string
	Value        float64
}

// All returns the four papers.
func All() []Paper { return []Paper{hanrag(), mgaRAG(), levelRAG(), muisqa()} }

// Names returns their names.
func Names() []string {
	var out []string
	for _, p := range All() {
		out = append(out, p.Name)
	}
	return out
}

// Lookup returns the paper of a name.
func Lookup(name string) (Paper, bool) {
	all := All()
	i := slices.IndexFunc(all, func(p Paper) bool { return p.Name == name })
	if i < 0 {
		return Paper{}, false
	}
	return all[i], true
}

// Sets returns the data sets that the paper's figures are of, in order of
// appearance.
func (p *Paper) Sets() []string {
	var out []string
	for _, r := range p.Rows {
		for _, f := range r.Figures {
			if !slices.Contains(out, f.Data) {
				out = append(out, f.Data)
			}
		}
	}
	return out
}

// on returns figures of several metrics of one data set; a value below 0 is one
// that the paper does not give.
func on(data string, metrics []string, values ...float64) []Figure {
	var out []Figure
	for i, v := range values {
		if v >= 0 {
			out = append(out, Figure{data, metrics[i], v})
		}
	}
	return out
}

// figures joins those of several data sets.
func figures(of ...[]Figure) []Figure { return slices.Concat(of...) }
