package prompts

import (
	"embed"
	"path"
	"slices"
	"strings"
	"text/template"
)

// Prompt is what a model receives: the static part, which never changes for a
// prompt's name, and the data, the question last.
type Prompt struct{ System, User string }

//go:embed *.tmpl
var files embed.FS

// templates are the files, parsed once and never changed.
var templates = parse()

// parsed is a template file: the system text as it stands, a line of three
// dashes, the layout of the user text.
type parsed struct {
	system string
	user   *template.Template
}

// parse reads every file. It panics on a broken one: they are part of the
// program.
func parse() map[string]*parsed {
	sections := template.FuncMap{
		"question":   questionSection,
		"plan":       planSection,
		"problem":    problemSection,
		"prediction": predictionSection,
		"passage":    func(ps []Passage) string { return passagesSection(ps[:min(1, len(ps))]) },
		"passages":   passagesSection,
		"findings":   findingsSection,
		"answers":    answersSection,
		"keywords":   keywordsSection,
	}
	out := map[string]*parsed{}
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		system, user, ok := strings.Cut(string(text), "\n---\n")
		if !ok {
			panic("prompts: " + e.Name() + " has no line of three dashes")
		}
		name := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		layout := template.New(name).Funcs(sections)
		out[name] = &parsed{system, template.Must(layout.Parse(strings.TrimSuffix(user, "\n")))}
	}
	return out
}

// Render makes the prompt of that name. It panics if there is no such file, or if
// the file names a field that Data does not have. Both are mistakes in the program
// that any test of the prompt finds.
func Render(name string, d Data) Prompt {
	p := templates[name]
	if p == nil {
		panic("prompts: there is no " + name + ".tmpl")
	}
	var user strings.Builder
	if err := p.user.Execute(&user, &d); err != nil {
		panic(err)
	}
	return Prompt{System: p.system, User: user.String()}
}

// Names returns the names of all prompts, sorted.
func Names() []string {
	names := make([]string, 0, len(templates))
	for name := range templates {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
