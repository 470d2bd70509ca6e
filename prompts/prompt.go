package prompts

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"
)

// Prompt is what a model receives: the static part, which never changes for a
// prompt's name, and the data, the question last.
type Prompt struct{ System, User string }

//go:embed *.tmpl lab/*.tmpl
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
		"entity":     entitySection,
		"questions":  questionsSection,
	}
	out := map[string]*parsed{}
	for _, pattern := range []string{"*.tmpl", labFolder + "*.tmpl"} {
		paths, err := fs.Glob(files, pattern)
		if err != nil {
			panic(err)
		}
		for _, file := range paths {
			text, err := files.ReadFile(file)
			if err != nil {
				panic(err)
			}
			system, user, ok := strings.Cut(string(text), "\n---\n")
			if !ok {
				panic("prompts: " + file + " has no line of three dashes")
			}
			name := strings.TrimSuffix(file, path.Ext(file))
			layout := template.New(name).Funcs(sections)
			out[name] = &parsed{system, template.Must(layout.Parse(strings.TrimSuffix(user, "\n")))}
		}
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

// labFolder holds the prompts that make data to measure and to train with. No
// stage asks them; their names begin with the folder.
const labFolder = "lab/"

// Names returns the names of all prompts that stages and evaluation ask, sorted.
func Names() []string { return named(false) }

// LabNames returns the names of the prompts that make data, sorted.
func LabNames() []string { return named(true) }

func named(lab bool) []string {
	names := make([]string, 0, len(templates))
	for name := range templates {
		if strings.HasPrefix(name, labFolder) == lab {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
