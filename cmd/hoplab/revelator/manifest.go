package revelator

import "cmp"

// ManifestFile tells what a folder was made from. A folder that has one may be
// overwritten.
const ManifestFile = "manifest.json"

// Input is a file that was read.
type Input struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Manifest tells of training sets: from what, how, and how much of it.
type Manifest struct {
	Kind       string                      `json:"kind"` // "revelator" or "compound"
	Seed       uint64                      `json:"seed"`
	Shares     Shares                      `json:"shares"`
	Negatives  int                         `json:"negatives"`
	Inputs     []Input                     `json:"inputs"`
	Sets       []SetMade                   `json:"sets"`
	Components int                         `json:"components"`
	Largest    int                         `json:"largest_component"`
	Roles      map[Role]map[Split]RoleMade `json:"roles"`
	// Labels says who told which passages help: gold, or a model's name.
	Labels string `json:"relevance_labels"`
	// Router tells how its set was drawn, where one was made.
	Router map[Split]RouterMade `json:"router,omitempty"`
}

// RoleMade counts a role's examples of one split.
type RoleMade struct {
	Examples int            `json:"examples"`
	Labels   map[string]int `json:"labels"`
	Longest  int            `json:"longest_bytes"` // prompt and reply together
}

func (m *Made) manifest(inputs []Input) Manifest {
	out := Manifest{Kind: "revelator", Seed: m.Options.Seed, Shares: m.Options.Shares, Negatives: m.Options.Negatives,
		Inputs: inputs, Sets: m.Sets, Components: m.Components, Largest: m.Largest, Roles: map[Role]map[Split]RoleMade{}, Router: m.Routed,
		Labels: cmp.Or(m.Labels, "gold")}
	for role, splits := range m.Examples {
		out.Roles[role] = map[Split]RoleMade{}
		for split, examples := range splits {
			r := RoleMade{Examples: len(examples), Labels: map[string]int{}}
			for _, e := range examples {
				r.Labels[e.Label]++
				r.Longest = max(r.Longest, e.size())
			}
			out.Roles[role][split] = r
		}
	}
	return out
}

func (e Example) size() int { return len(e.Prompt.System) + len(e.Prompt.User) + len(e.Reply) }

// CompoundManifest tells of a benchmark of compound questions.
type CompoundManifest struct {
	Kind      string         `json:"kind"` // "compound"
	Seed      uint64         `json:"seed"`
	Inputs    []Input        `json:"inputs"`
	Questions int            `json:"questions"`
	Entities  int            `json:"entities"`
	Documents int            `json:"documents"`
	Parts     map[string]int `json:"parts"` // by how many
	Styles    map[string]int `json:"styles"`
	Pronouns  int            `json:"pronouns"`
	// Model wrote the questions, and Written counts what it was asked for; empty
	// and nil where they are gold ones joined by rules.
	Model   string `json:"model,omitempty"`
	Written *Tally `json:"written,omitempty"`
}

func (c *CompoundSet) manifest(seed uint64, inputs []Input) CompoundManifest {
	told := CompoundManifest{Kind: "compound", Seed: seed, Inputs: inputs, Questions: len(c.Questions), Entities: c.Entities,
		Documents: len(c.Documents), Parts: map[string]int{}, Styles: c.Styles, Pronouns: c.Pronouns, Model: c.Model}
	for _, q := range c.Questions {
		told.Parts[q.Type]++
	}
	if c.Model != "" {
		told.Written = &c.Tally
	}
	return told
}
