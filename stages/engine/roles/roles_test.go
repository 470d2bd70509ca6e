package roles_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/roles"
)

const root = "../../.."

// TestTable holds that the rows are complete: names and prompts of their own,
// stages that there are, a line each of what they do.
func TestTable(t *testing.T) {
	t.Parallel()
	names, asked := map[roles.Role]bool{}, []string{}
	for _, r := range roles.Table() {
		if names[r.Role] || r.Role == "" || r.About == "" || strings.HasSuffix(r.About, ".") {
			t.Errorf("%s: %q", r.Role, r.About)
		}
		names[r.Role] = true
		for _, p := range r.Prompts {
			asked = append(asked, p.Name)
		}
		for _, by := range r.By {
			if !slices.Contains(stages.Names(), by.Stage) {
				t.Errorf("%s is asked by %s, which is no stage", r.Role, by.Stage)
			}
		}
		if len(r.By) == 0 && r.Role != roles.Equivalence {
			t.Errorf("%s is asked by nobody", r.Role)
		}
	}
	slices.Sort(asked)
	if files := prompts.Names(); !slices.Equal(asked, files) {
		t.Errorf("the rows have the prompts\n%v, the files are\n%v", asked, files)
	}
}

// every is something of everything that an engine may be asked about.
func every() *roles.Shown {
	found := messages.Finding{Text: "Tarn", Confidence: 1}
	return &roles.Shown{
		Question: "Where was Orla Venn born?", Class: messages.Complex, Plan: []string{"Who?", "Where was $1 born?"}, Keywords: []string{"Orla"},
		Pairs:    []messages.Pair{{Round: 1, Branch: 1, Question: "Who drew it?", Answer: "Orla Venn"}},
		Passages: []messages.Passage{{ID: "a", Title: "Orla Venn", Text: "Orla Venn was born in Tarn."}},
		Windows:  []messages.Window{{Passage: "a", Title: "Orla Venn", Text: "Orla Venn was born in Tarn."}},
		Findings: []messages.Finding{found, found}, Answers: []string{"Orla Venn drew it."}, Prediction: "Tarn", Golds: []string{"in Tarn"},
	}
}

// askAll asks e the question of every prompt, and the embedder.
func askAll(t *testing.T, e roles.Engine) map[string]string {
	t.Helper()
	out := map[string]string{}
	say := func(name string, v any, err error) { out[name] = fmt.Sprintf("%v %v", v, err) }
	for _, r := range roles.Table() {
		for _, p := range r.Prompts {
			v, err := p.Ask(t.Context(), e, every())
			say(p.Name, v, err)
		}
	}
	v, err := e.Embed(t.Context(), []string{"Tarn"})
	say("embedder", v, err)
	return out
}

// TestOfIsTheSame holds that a Set made of an engine answers as it does.
func TestOfIsTheSame(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]*roles.Set{"builtin": builtin.New(builtin.Options{}), "zero": {}} {
		want := askAll(t, e)
		for ask, got := range askAll(t, roles.Of(e)) {
			if got != want[ask] || !strings.HasSuffix(got, "<nil>") {
				t.Errorf("%s, %s: %s, want %s", name, ask, got, want[ask])
			}
		}
	}
}

var errBroken = errors.New("broken")

// broken is an engine all of whose answers fail.
func broken() *roles.Set {
	found := messages.Finding{}
	ask := func(context.Context, string) ([]string, error) { return nil, errBroken }
	word := func(context.Context, string, []string, []messages.Passage) (string, error) { return "", errBroken }
	pairs := func(context.Context, string, []messages.Pair) (bool, error) { return false, errBroken }
	windows := func(context.Context, string, []messages.Window) (messages.Finding, error) { return found, errBroken }
	return &roles.Set{
		ClassifyFunc: func(context.Context, string) (messages.Class, error) { return "", errBroken },
		SplitFunc:    ask, PlanFunc: ask, AtomiseFunc: ask, KeywordsFunc: ask, HypothesiseFunc: ask,
		StatementsFunc: func(context.Context, string, []string) ([]string, error) { return nil, errBroken },
		RefineFunc:     func(context.Context, string, []messages.Pair) (string, error) { return "", errBroken },
		SupplementFunc: func(context.Context, string, []messages.Pair) ([]string, error) { return nil, errBroken },
		ReviseFunc: func(context.Context, string, []string, []messages.Pair, string) ([]string, error) {
			return nil, errBroken
		},
		ExtendFunc: word, EmphasiseFunc: word, ExcludeFunc: word, EnoughFunc: pairs, CompleteFunc: pairs, AnswerFunc: windows, SummariseFunc: windows,
		VerifyFunc:         func(context.Context, string, []messages.Passage) (bool, error) { return false, errBroken },
		PseudoDocumentFunc: func(context.Context, string, []messages.Passage) (string, error) { return "", errBroken },
		RelevantFunc:       func(context.Context, string, []messages.Passage) ([]bool, error) { return nil, errBroken },
		EmbedFunc:          func(context.Context, []string) ([][]float32, error) { return nil, errBroken },
		FuseFunc: func(context.Context, string, []messages.Finding, []messages.Passage) (messages.Finding, error) {
			return found, errBroken
		},
		SynthesizeFunc: func(context.Context, string, messages.Class, []messages.Pair) (messages.Finding, error) {
			return found, errBroken
		},
		DirectFunc:     func(context.Context, string) (messages.Finding, error) { return found, errBroken },
		EquivalentFunc: func(context.Context, string, string, []string) (bool, error) { return false, errBroken },
	}
}

// TestEveryRowTakes takes one role after the other from an engine that fails:
// alone, what is asked of the role fails and nothing else does; with an engine
// behind it, that one answers; and every question belongs to a role.
func TestEveryRowTakes(t *testing.T) {
	t.Parallel()
	want := askAll(t, &roles.Set{})
	var all roles.Set
	for _, r := range roles.Table() {
		var one, two roles.Set
		r.Take(&one, broken())
		r.Take(&all, broken())
		r.TakeOr(&two, broken(), &roles.Set{}, func(_ context.Context, err error) bool { return errors.Is(err, errBroken) })
		failed, mended := askAll(t, &one), askAll(t, &two)
		own := []string{}
		for _, p := range r.Prompts {
			own = append(own, p.Name)
		}
		switch r.Role {
		case roles.Embedder:
			own = []string{"embedder"}
		case roles.Answerer, roles.ScaleAnswerer: // one question
			own = []string{"answerer", "scale_answerer"}
		}
		for ask := range want {
			fails := strings.HasSuffix(failed[ask], errBroken.Error())
			summarised := ask == "summariser" && slices.Contains(own, "answerer") // who answers as the answerer unless set
			if fails != slices.Contains(own, ask) && !summarised {
				t.Errorf("%s: %s fails: %v", r.Role, ask, fails)
			}
			if mended[ask] != want[ask] {
				t.Errorf("%s: with an engine behind it, %s says %s, want %s", r.Role, ask, mended[ask], want[ask])
			}
		}
	}
	for ask, got := range askAll(t, &all) {
		if !strings.HasSuffix(got, errBroken.Error()) {
			t.Errorf("%s belongs to no role", ask)
		}
	}
	var kept roles.Set
	roles.Table()[0].TakeOr(&kept, broken(), &roles.Set{}, func(context.Context, error) bool { return false })
	if _, err := kept.Classify(t.Context(), "q"); !errors.Is(err, errBroken) {
		t.Errorf("an error that is not unusable: %v", err)
	}
}

func TestAskedBy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stage string
		set   roles.Setting
		want  string
	}{
		{"router", roles.Setting{}, "[router]"},
		{"decomposer", roles.Setting{}, "[decomposer refiner]"},
		{"decomposer", roles.Setting{Strategy: messages.Refine, JudgeFirst: true}, "[decomposer refiner judge]"},
		{"decomposer", roles.Setting{JudgeFirst: true, NoRepair: true, NoReviser: true}, "[decomposer refiner judge]"},
		{"decomposer", roles.Setting{Strategy: messages.Planned}, "[decomposer refiner planner reviser]"},
		{"decomposer", roles.Setting{Strategy: messages.Planned, NoReviser: true, JudgeFirst: true}, "[decomposer refiner planner]"},
		{"decomposer", roles.Setting{Strategy: messages.Planned, NoRepair: true}, "[decomposer planner reviser]"},
		{"decomposer", roles.Setting{Strategy: messages.Supplement, JudgeFirst: true}, "[decomposer atomiser supplementer]"},
		{"judge", roles.Setting{}, "[judge]"},
		{"judge", roles.Setting{Strategy: messages.Planned}, "[judge]"},
		{"judge", roles.Setting{Strategy: messages.Planned, NoReviser: true}, "[judge]"},
		{"judge", roles.Setting{Strategy: messages.Planned, NoRepair: true}, "[]"},
		{"judge", roles.Setting{Strategy: messages.Supplement, Escalates: true}, "[completeness]"},
		{"retriever", roles.Setting{}, "[]"},
		{"retriever", roles.Setting{Searchers: []string{"intents"}}, "[hypothesiser statements]"},
		{"retriever", roles.Setting{Searchers: []string{"dense", "sparse"}}, "[keywords refinement verifier pseudo_document embedder]"},
		{"aligner", roles.Setting{}, "[]"},
		{"aligner", roles.Setting{Aligned: true}, "[embedder]"},
		{"generator", roles.Setting{}, "[answerer synthesis direct]"},
		{"generator", roles.Setting{Direct: true}, "[answerer synthesis direct]"},
		{"generator", roles.Setting{Aligned: true, Escalates: true}, "[scale_answerer fusion synthesis direct judge]"},
		{"generator", roles.Setting{Strategy: messages.Supplement}, "[answerer summariser synthesis direct]"},
		{"aggregator", roles.Setting{}, "[]"},
	} {
		if got := fmt.Sprint(roles.AskedBy(c.stage, c.set)); got != c.want {
			t.Errorf("%s, %+v: %s, want %s", c.stage, c.set, got, c.want)
		}
	}
}

// TestOfStrategies holds which roles a stage asks for questions that come with
// strategies of their own.
func TestOfStrategies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stage string
		set   roles.Setting
		want  string
	}{
		{"decomposer", roles.Setting{}, "[refiner planner reviser atomiser supplementer]"},
		{"decomposer", roles.Setting{Strategy: messages.Supplement, NoReviser: true, JudgeFirst: true}, "[refiner planner atomiser supplementer judge]"},
		{"generator", roles.Setting{}, "[summariser]"},
		{"judge", roles.Setting{Strategy: messages.Planned, NoRepair: true}, "[judge completeness]"},
		{"retriever", roles.Setting{}, "[]"},
	} {
		if got := fmt.Sprint(roles.OfStrategies(c.stage, c.set)); got != c.want {
			t.Errorf("%s, %+v: %s, want %s", c.stage, c.set, got, c.want)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the list of roles in the README")

// TestReadme holds that the README's table of roles is this one.
func TestReadme(t *testing.T) {
	t.Parallel()
	const begin, end = "| role | what it does | asked by |\n|---|---|---|\n", "\n\n"
	var b strings.Builder
	for _, r := range roles.Table() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Role, r.About, askers(r.By))
	}
	want := strings.TrimSuffix(b.String(), "\n")
	file := filepath.Join(root, "stages", "engine", "README.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("stages/engine/README.md has no table of roles: %s", begin)
	}
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the README's table of roles is another; run with -update\n%s\nwant\n%s", got, want)
	}
}

// askers says who asks a role, and when.
func askers(by []roles.Asker) string {
	var out []string
	for i, a := range by {
		switch {
		case i > 0 && a.Stage == by[i-1].Stage && by[i-1].When == roles.Always && a.Searcher == "":
			out[i-1] += fmt.Sprintf(" (also %s)", a.When)
		case a.Searcher != "":
			out = append(out, "searcher "+a.Searcher)
		case a.When != roles.Always:
			out = append(out, fmt.Sprintf("%s (%s)", a.Stage, a.When))
		default:
			out = append(out, a.Stage)
		}
	}
	if out == nil {
		return "evaluation"
	}
	return strings.Join(out, ", ")
}
