package prompts

import (
	"embed"
	"strings"
	"text/template"
)

// Prompt is what a model receives: the static part, which never changes for a
// role, and the data, the question last.
type Prompt struct{ System, User string }

//go:embed *.tmpl
var files embed.FS

// One prompt per role, each from the file of its name.
var (
	router        = load("router")
	decomposer    = load("decomposer")
	refiner       = load("refiner")
	planner       = load("planner")
	reviser       = load("reviser")
	repair        = load("repair")
	supplementer  = load("supplementer")
	keywords      = load("keywords")
	extend        = load("extend")
	emphasise     = load("emphasise")
	exclude       = load("exclude")
	verify        = load("verify")
	pseudo        = load("pseudo_document")
	hypothesise   = load("hypothesise")
	relevanceOne  = load("relevance_one")
	relevanceAll  = load("relevance_all")
	answerer      = load("answerer")
	scaleAnswerer = load("scale_answerer")
	summariser    = load("summariser")
	fusion        = load("fusion")
	synthesis     = load("synthesis")
	direct        = load("direct")
	judge         = load("judge")
	equivalence   = load("equivalence")

	all = []*role{
		router, decomposer, refiner, planner, reviser, repair, supplementer,
		keywords, extend, emphasise, exclude, verify, pseudo, hypothesise,
		relevanceOne, relevanceAll, answerer, scaleAnswerer, summariser, fusion, synthesis, direct, judge,
		equivalence,
	}
)

// role is a parsed template file: the system text as it stands, a line of
// three dashes, the layout of the user text.
type role struct {
	name, system string
	user         *template.Template
}

// load panics on a broken file: the files are part of the program.
func load(name string) *role {
	text, err := files.ReadFile(name + ".tmpl")
	if err != nil {
		panic(err)
	}
	system, user, ok := strings.Cut(string(text), "\n---\n")
	if !ok {
		panic("prompts: " + name + ".tmpl has no line of three dashes")
	}
	layout := template.New(name).Funcs(template.FuncMap{
		"question":   questionSection,
		"plan":       planSection,
		"problem":    problemSection,
		"prediction": predictionSection,
		"passage":    func(p Passage) string { return passagesSection([]Passage{p}) },
		"passages":   passagesSection,
		"findings":   findingsSection,
		"answers":    answersSection,
		"keywords":   keywordsSection,
	})
	return &role{name, system, template.Must(layout.Parse(strings.TrimSuffix(user, "\n")))}
}

// render fills in the user text. It cannot fail but by a template that names
// what its input does not have, which any call, and so any test, shows.
func (r *role) render(input any) Prompt {
	var user strings.Builder
	if err := r.user.Execute(&user, input); err != nil {
		panic(err)
	}
	return Prompt{System: r.system, User: user.String()}
}

// Names returns the names of all prompts, in the order of the pipeline.
func Names() []string {
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.name
	}
	return names
}

// Identify returns the name of the prompt whose system text is exactly system.
func Identify(system string) (name string, ok bool) {
	for _, r := range all {
		if r.system == system {
			return r.name, true
		}
	}
	return "", false
}
