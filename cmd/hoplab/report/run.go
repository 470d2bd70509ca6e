package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Run is a preset measured on a data set.
type Run struct {
	Data    string              `json:"data"`
	Preset  string              `json:"preset"`
	Engine  string              `json:"engine"`
	Format  string              `json:"format,omitempty"` // of the data set
	Total   *Figures            `json:"total"`
	Types   map[string]*Figures `json:"types"`             // as the data set names them
	Classes map[string]*Figures `json:"classes,omitempty"` // by gold class
	// Withheld is set if the gold passages were not in the index; LeftOut are the
	// questions that could not be asked then, since theirs are not known.
	Withheld bool     `json:"withheld_gold,omitempty"`
	LeftOut  int      `json:"left_out,omitempty"`
	Records  []Record `json:"-"` // by ID
}

// NewRun sums records up, which it sorts by ID: the figures do not depend on
// the order of the answers.
func NewRun(data, preset, engine, format string, records []Record) Run {
	slices.SortFunc(records, func(a, b Record) int { return cmp.Compare(a.ID, b.ID) })
	return Run{
		Data: data, Preset: preset, Engine: engine, Format: format, Records: records,
		Total:   Sum(records),
		Types:   sumBy(records, func(r *Record) (string, bool) { return r.Type, true }),
		Classes: sumBy(records, func(r *Record) (string, bool) { return string(r.Gold), r.Gold != "" }),
	}
}

func sumBy(records []Record, key func(*Record) (string, bool)) map[string]*Figures {
	groups := map[string][]Record{}
	for i := range records {
		if k, ok := key(&records[i]); ok {
			groups[k] = append(groups[k], records[i])
		}
	}
	out := make(map[string]*Figures, len(groups))
	for k, g := range groups {
		out[k] = Sum(g)
	}
	return out
}

// Name is the run among others.
func (r *Run) Name() string { return r.Data + " · " + r.Preset }

// Counts writes how many there are of each, by name.
func Counts[K ~string](m map[K]int) string {
	out := ""
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			out += ", "
		}
		name := string(k)
		if name == "" {
			name = "none"
		}
		out += fmt.Sprintf("%d %s", m[k], name)
	}
	return out
}
