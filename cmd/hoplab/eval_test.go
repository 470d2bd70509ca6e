package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
)

// evalResult is what readers of the JSON rely on.
type evalResult struct {
	evalRunResult
	Runs []evalRunResult
}

type evalRunResult struct {
	Data, Preset, Engine string
	Total                evalFigures
	Types, Classes       map[string]evalFigures
}

type evalFigures struct {
	Questions  int                     `json:"questions"`
	EM         float64                 `json:"em"`
	F1         float64                 `json:"f1"`
	Acc        float64                 `json:"acc"`
	AA         float64                 `json:"aa"`
	AC         float64                 `json:"ac"`
	Steps      float64                 `json:"steps"`
	Recall2    float64                 `json:"recall_at_2"`
	Recall5    float64                 `json:"recall_at_5"`
	Recall10   float64                 `json:"recall_at_10"`
	Succ       float64                 `json:"succ"`
	IRR        float64                 `json:"irr"`
	HMix       float64                 `json:"h_mix"`
	ModelCalls float64                 `json:"model_calls"`
	Tokens     float64                 `json:"tokens"`
	P50MS      float64                 `json:"latency_p50_ms"`
	P95MS      float64                 `json:"latency_p95_ms"`
	Status     map[messages.Status]int `json:"status"`
	Class      map[messages.Class]int  `json:"class"`
	Funnel     map[string]report.Mean  `json:"funnel"`
	Router     *report.Router          `json:"router"`
}

// The figures of a data set small enough to work out by hand.
func TestEvalFigures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmdtest.WriteFile(t, filepath.Join(dir, "corpus.jsonl"),
		`{"id":"z","title":"Zorblat","text":"Zorblat was invented by Mina Quist in the town of Arlen."}`+"\n"+
			`{"id":"m","title":"Mina Quist","text":"Mina Quist was born in Oslo."}`+"\n")
	cmdtest.WriteFile(t, filepath.Join(dir, "questions.jsonl"), strings.Join([]string{
		// "Mina Quist": right, and its passage is found.
		`{"id":"1","question":"Who invented Zorblat?","answers":["The Mina Quist"],"type":"one","supporting":["z"]}`, "",
		// "Oslo" where "Oslo Norway" is wanted: P 1, R 1/2, F1 2/3. Both passages are found, in two rounds.
		`{"id":"2","question":"Where was the inventor of Zorblat born?","answers":["Oslo, Norway"],"type":"two","supporting":["z","m"]}`,
		// 391: no retrieval, so nothing is recalled.
		`{"id":"3","question":"What is 17 times 23?","answers":["391"],"type":"one","supporting":["z"]}`,
		// The same without supporting passages, answered wrongly; it does not count for recall.
		`{"id":"4","question":"What is 2 times 2?","answers":["5"],"type":"one"}`,
	}, "\n"))
	out := filepath.Join(t.TempDir(), "figures.json")
	o := hoplab(t, "", "eval", dir, "--json", out).Exits(0)
	o.Prints("questions", "R@10", "50.0", "66.7", "engine builtin", "4 answered")
	var r evalResult
	if err := json.Unmarshal([]byte(cmdtest.Read(t, out)), &r); err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("questions", float64(r.Total.Questions), 4)
	near("EM", r.Total.EM, 50)
	near("F1", r.Total.F1, 100*(1+2.0/3+1)/4)
	near("Acc", r.Total.Acc, 50)
	near("Steps", r.Total.Steps, (1+2+0+0)/4.0)
	near("recall@2", r.Total.Recall2, 100*(1+1+0)/3.0)
	near("recall@10", r.Total.Recall10, 100*(1+1+0)/3.0)
	near("Succ", r.Total.Succ, 25) // "Mina Quist" is in what was retrieved
	near("EM of type two", r.Types["two"].EM, 0)
	near("F1 of type two", r.Types["two"].F1, 200.0/3)
	if r.Engine != "builtin" || r.Total.Status["answered"] != 4 || r.Total.P95MS <= 0 {
		t.Errorf("%+v", r)
	}

	o = hoplab(t, "", "eval", dir, "--limit", "1", "--json", "-").Exits(0)
	if err := json.Unmarshal([]byte(o.Out), &r); err != nil || r.Total.Questions != 1 {
		t.Errorf("%v: %s", err, o.Out)
	}
	gold := filepath.Join(dir, "questions.jsonl")
	for text, says := range map[string]string{
		"":                         "holds no questions",
		"nope":                     "questions.jsonl:1: ",
		`{"question":"x?"}`:        "give each question its own",
		`{"id":"1","question":""}`: "is empty",
		strings.Repeat(`{"id":"1","question":"x?"}`+"\n", 2): "questions.jsonl:2: ",
	} {
		cmdtest.WriteFile(t, gold, text)
		hoplab(t, "", "eval", dir).Complains(1, says)
	}
	cmdtest.WriteFile(t, gold, `{"id":"1","question":"Who?"}`)
	if err := os.Remove(filepath.Join(dir, "corpus.jsonl")); err != nil {
		t.Fatal(err)
	}
	hoplab(t, "", "eval", dir).Complains(1, "corpus.jsonl: no such file")
}

// evalSet writes questions over four passages, each with its gold.
func evalSet(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmdtest.WriteFile(t, filepath.Join(dir, "corpus.jsonl"),
		`{"id":"z","title":"Zorblat","text":"Zorblat was invented by Mina Quist in the town of Arlen."}`+"\n"+
			`{"id":"m","title":"Mina Quist","text":"Mina Quist was born in Oslo."}`+"\n"+
			`{"id":"t","title":"Tarn","text":"The Tarn is a river of Velm. Its colours are green and blue."}`+"\n"+
			`{"id":"v","title":"Velm","text":"Velm is a valley in the north."}`+"\n")
	cmdtest.WriteFile(t, filepath.Join(dir, "questions.jsonl"), strings.Join([]string{
		`{"id":"1","question":"Who invented Zorblat?","answers":["Mina Quist"],"class":"single","supporting":["z"]}`,
		`{"id":"2","question":"Where was the inventor of Zorblat born?","answers":["Oslo"],"class":"complex","supporting":["z","m"],"decomposition":[{"question":"Zorblat >> inventor","answer":"Mina Quist","support":"z"},{"question":"#1 >> born","answer":"Oslo","support":"m"}]}`,
		`{"id":"3","question":"What is 17 times 23?","answers":["391"],"class":"straightforward"}`,
		`{"id":"4","question":"Where was Mina Quist born?","answers":["Rome"],"class":"straightforward","supporting":["v"]}`,
		`{"id":"5","question":"Who invented Zorblat, and where was Mina Quist born?","entities":[["Mina Quist","M. Quist"],"Oslo"],"class":"compound"}`,
	}, "\n"))
	return dir
}

func evaluated(t *testing.T, args ...string) evalResult {
	t.Helper()
	o := hoplab(t, "", append([]string{"eval", "--json", "-"}, args...)...).Exits(0)
	var r evalResult
	if err := json.Unmarshal([]byte(o.Out), &r); err != nil {
		t.Fatalf("%v: %s", err, o.Out)
	}
	return r
}

// What each stage leaves of the gold, what the router makes of the gold
// classes, and lists, worked out by hand.
func TestEvalFunnelAndRouter(t *testing.T) {
	t.Parallel()
	f := evaluated(t, evalSet(t)).Total
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("Acc", f.Acc, 100*(1+1+1+0+1)/5.0)
	near("AC of the two entities", f.AC, 100)
	// Of v, nothing is found: three questions have gold passages.
	near("retrieved", f.Funnel["retrieved"].Value, 100*(1+1+0)/3.0)
	near("kept", f.Funnel["kept"].Value, 100*(1+1+0)/3.0)
	// Both steps of the second; neither 391 nor Rome stands anywhere; both entities.
	near("windowed", f.Funnel["windowed"].Value, 100*(1+1+0+0+1)/5.0)
	near("IRR", f.IRR, 100*(1+1+0+0+1)/5.0)
	near("extracted", f.Funnel["extracted"].Value, f.Acc)
	if f.HMix <= 0 {
		t.Errorf("the queries' entropy is %v", f.HMix)
	}
	if f.Router == nil || f.Router.Confusion["straightforward"]["single"] != 1 || f.Router.Confusion["complex"]["complex"] != 1 {
		t.Fatalf("%+v", f.Router)
	}
	near("router", f.Router.Accuracy, 100*4/5.0)
}

// An oracle routes questions as their gold class; then the router is not
// measured.
func TestEvalOracle(t *testing.T) {
	t.Parallel()
	dir, config := evalSet(t), filepath.Join(t.TempDir(), "c.yaml")
	cmdtest.WriteFile(t, config, "router: {oracle: true}\ngenerator: {escalate: never}\n")
	f := evaluated(t, dir, "--config", config)
	if f.Total.Router != nil || f.Total.Class["compound"] != 1 || f.Total.Class["complex"] != 1 {
		t.Errorf("%+v", f.Total)
	}
	questions := filepath.Join(dir, "questions.jsonl")
	cmdtest.WriteFile(t, questions, strings.ReplaceAll(cmdtest.Read(t, questions), `"class":"single",`, ""))
	hoplab(t, "", "eval", dir, "--config", config).Complains(2, "question 1 of", "has none", "--class")
	if f := evaluated(t, dir, "--config", config, "--class", "compound"); f.Classes["compound"].Questions != 2 {
		t.Errorf("%+v", f.Total)
	}
}

// Several data sets and presets stand side by side, in a table, as JSON and as
// a page.
func TestEvalSideBySide(t *testing.T) {
	t.Parallel()
	one, dir := evalSet(t), t.TempDir()
	other := filepath.Join(dir, "hotpot.json")
	cmdtest.WriteFile(t, other, `[{"_id":"h1","question":"Where was the inventor of Zorblat born?","answer":"Oslo","type":"bridge",
	  "supporting_facts":[["Zorblat",0],["Mina Quist",0]],
	  "context":[["Zorblat",["Zorblat was invented by Mina Quist."]],["Mina Quist",["Mina Quist was born in Oslo."]]]}]`)
	js, html := filepath.Join(dir, "f.json"), filepath.Join(dir, "r.html")
	o := hoplab(t, "", "eval", one, other, "--preset", "hopstream", "--preset", "hanrag", "--limit", "2",
		"--json", js, "--html", html, "--funnel", "--intervals", "--markdown").Exits(0)
	o.Prints("| data | preset | questions | EM |", "| hotpot | hanrag | 1 |", "| retrieved | kept | window | answer |", "100.0 (100.0–100.0)")
	var r evalResult
	if err := json.Unmarshal([]byte(cmdtest.Read(t, js)), &r); err != nil || len(r.Runs) != 4 {
		t.Fatalf("%v: %s", err, cmdtest.Read(t, js))
	}
	last := r.Runs[3]
	if r.Runs[0].Preset != "hopstream" || r.Total.Questions != 2 || last.Data != "hotpot" || last.Preset != "hanrag" {
		t.Errorf("%+v", r)
	}
	if last.Total.Acc != 100 || last.Total.Recall10 != 100 || last.Total.Steps != 2 {
		t.Errorf("the published format is measured as %+v", last.Total)
	}
	if page := cmdtest.Read(t, html); !strings.Contains(page, "<svg") || !strings.Contains(page, "hotpot · hanrag") {
		t.Errorf("no page: %.200s", page)
	}
}

// A run that was killed goes on with what it had not measured, and ends with
// the same figures.
func TestEvalResume(t *testing.T) {
	t.Parallel()
	set, out := evalSet(t), filepath.Join(t.TempDir(), "runs")
	whole := evaluated(t, set, "--out", out)
	file := filepath.Join(out, filepath.Base(set)+".hopstream.jsonl")
	lines := strings.SplitAfter(strings.TrimSpace(cmdtest.Read(t, file)), "\n")
	if len(lines) != 6 {
		t.Fatalf("%d lines, want a head and 5 records:\n%s", len(lines), strings.Join(lines, ""))
	}
	hoplab(t, "", "eval", set, "--out", out).Complains(2, "is there already", "--resume")

	// Killed in the middle of the fourth record. The second one's is changed:
	// what is there is not measured again.
	var second report.Record
	if err := json.Unmarshal([]byte(lines[2]), &second); err != nil {
		t.Fatal(err)
	}
	second.LatencyMS = 123456
	changed, _ := json.Marshal(second)
	cmdtest.WriteFile(t, file, lines[0]+lines[1]+string(changed)+"\n"+lines[3]+lines[4][:20])
	again := evaluated(t, set, "--out", out, "--resume")
	if again.Total.Acc != whole.Total.Acc || again.Total.Recall5 != whole.Total.Recall5 || again.Total.Questions != 5 || again.Total.P95MS != 123456 {
		t.Errorf("%+v\nwant\n%+v", again.Total, whole.Total)
	}
	if n := strings.Count(cmdtest.Read(t, file), "\n"); n != 6 {
		t.Errorf("the file has %d lines, want 6", n)
	}
	// All is there: nothing is asked, and the limit counts.
	if r := evaluated(t, set, "--out", out, "--resume", "--limit", "2"); r.Total.Questions != 2 {
		t.Errorf("%d questions, want the first 2", r.Total.Questions)
	}

	config := filepath.Join(t.TempDir(), "c.yaml")
	cmdtest.WriteFile(t, config, "filter: {keep: 1}\n")
	hoplab(t, "", "eval", set, "--out", out, "--resume", "--config", config).Complains(2, "measured otherwise", "settings")
	cmdtest.WriteFile(t, filepath.Join(set, "corpus.jsonl"), `{"id":"z","text":"x"}`)
	hoplab(t, "", "eval", set, "--out", out, "--resume").Complains(2, "measured otherwise", "content of the data set")
}

func TestEvalUsage(t *testing.T) {
	t.Parallel()
	set := evalSet(t)
	for says, args := range map[string][]string{
		"wants one DIR or file":          {},
		"choose from [straightforward":   {set, "--class", "hard"},
		"--resume needs --out":           {set, "--resume"},
		"both write to standard output":  {set, "--json", "-", "--html", "-"},
		"--preset hanrag is there twice": {set, "--preset", "hanrag", "--preset", "hanrag"},
		`there is no "best"`:             {set, "--preset", "best"},
		"at least 0":                     {set, "--limit", "-1"},
		"have the same name":             {set, set},
	} {
		hoplab(t, "", append([]string{"eval"}, args...)...).Complains(2, says)
	}
	hoplab(t, "", "eval", filepath.Join(set, "none")).Complains(1, "no such file or folder")
}

// A model judges, if one is configured to and is there; else the builtin
// engine does.
func TestEvalJudgedByModel(t *testing.T) {
	t.Parallel()
	set := evalSet(t)
	hoplab(t, "", "eval", set, "--judge").Exits(0).Prints("Judged")
	s, url := simulate(t, sim.Options{Models: []string{"little"}})
	config := filepath.Join(t.TempDir(), "c.yaml")
	cmdtest.WriteFile(t, config, "engines: {equivalence: ollama}\nmodels: {equivalence: {name: little}}\n")
	o := hoplab(t, "", "eval", set, "--judge", "--config", config, "--ollama-url", url).Exits(0)
	// Four are right to the letter, or name all that is wanted; of one, the
	// server is asked.
	o.Prints("Judged")
	if asked := s.Stats().Endpoints["/api/chat"]["ok"]; asked != 1 {
		t.Errorf("asked %d times: %+v", asked, s.Stats())
	}
	cmdtest.WriteFile(t, config, "engines: {equivalence: ollama}\nmodels: {equivalence: {name: large}}\n")
	hoplab(t, "", "eval", set, "--judge", "--config", config, "--ollama-url", url).Complains(1, "--judge", "ollama pull large")
}

func TestEvalWithout(t *testing.T) {
	t.Parallel()
	o := hoplab(t, "", "eval", evalSet(t), "--preset", "hanrag", "--without", "filter", "--without", "judge", "--json", "-").Exits(0)
	var r struct {
		Runs []struct {
			Preset string
			Total  struct{ Steps float64 }
		}
	}
	if err := json.Unmarshal([]byte(o.Out), &r); err != nil || len(r.Runs) != 3 {
		t.Fatalf("%v: %s", err, o.Out)
	}
	if r.Runs[0].Preset != "hanrag" || r.Runs[1].Preset != "hanrag without filter" || r.Runs[2].Preset != "hanrag without judge" {
		t.Errorf("%+v", r.Runs)
	}
	hoplab(t, "", "eval", evalSet(t), "--without", "wings").Complains(2, "choose from [all filter")
}

// TestEvalByGold measures a set small enough to follow by hand: one chain that
// comes through, and one whose second answer stands nowhere.
func TestEvalByGold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmdtest.WriteFile(t, filepath.Join(dir, "corpus.jsonl"),
		`{"id":"z","title":"Zorblat","text":"Zorblat was invented by Mina Quist in the town of Arlen."}`+"\n"+
			`{"id":"m","title":"Mina Quist","text":"Mina Quist was born in Oslo."}`+"\n")
	cmdtest.WriteFile(t, filepath.Join(dir, "questions.jsonl"), strings.Join([]string{
		`{"id":"1","question":"Zorblat's maker hails from?","answers":["Oslo"],"supporting":["z","m"],"decomposition":[` +
			`{"question":"Zorblat >> inventor","answer":"Mina Quist","support":"z"},{"question":"#1 >> place of birth","answer":"Oslo","support":"m"}]}`,
		`{"id":"2","question":"Arlen's neighbour?","answers":["Bree"],"supporting":["z"],"decomposition":[` +
			`{"question":"Zorblat >> town","answer":"Arlen","support":"z"},{"question":"#1 >> neighbour","answer":"Bree","support":"z"}]}`,
	}, "\n"))
	var r struct {
		Engine string
		Total  struct {
			EM, Steps float64
			Status    map[messages.Status]int
		}
	}
	for strategy, rounds := range map[string]float64{"refine": 2, "supplement": 2, "plan": 2} { // where the second answer stands nowhere, refining finds nothing more to ask
		config := cmdtest.TempFile(t, "c.yaml", "strategy: {complex: "+strategy+"}\n")
		o := hoplab(t, "", "eval", "--oracle", "--config", config, "--json", "-", dir).Exits(0)
		if err := json.Unmarshal([]byte(o.Out), &r); err != nil {
			t.Fatal(err)
		}
		if r.Engine != "oracle over builtin" || r.Total.EM != 50 || r.Total.Steps != rounds || r.Total.Status[messages.Answered] != 1 {
			t.Errorf("%s: %+v", strategy, r)
		}
	}
	cmdtest.WriteFile(t, filepath.Join(dir, "questions.jsonl"), `{"id":"1","question":"Who?"}`)
	hoplab(t, "", "eval", "--oracle", dir).Complains(2, "no question of", "has any")
}

// TestEvalWithholdsGold asks the questions whose gold passages are known over
// what is left of the corpus: nothing tells of Zorblat or Mina Quist.
func TestEvalWithholdsGold(t *testing.T) {
	t.Parallel()
	set, out := evalSet(t), filepath.Join(t.TempDir(), "runs")
	o := hoplab(t, "", "eval", "--withhold-gold", "--out", out, "--json", "-", set).Exits(0)
	var r struct {
		Withheld bool `json:"withheld_gold"`
		LeftOut  int  `json:"left_out"`
		Total    struct {
			Questions int     `json:"questions"`
			Coverage  float64 `json:"coverage"`
			Invented  float64 `json:"invented"`
			Refused   float64 `json:"refused"`
		}
	}
	if err := json.Unmarshal([]byte(o.Out), &r); err != nil {
		t.Fatalf("%v: %s", err, o.Out)
	}
	if !r.Withheld || r.LeftOut != 2 || r.Total.Questions != 3 || r.Total.Invented != r.Total.Coverage || r.Total.Invented+r.Total.Refused > 100.1 || strings.Contains(o.Out, `"recall_curve"`) {
		t.Errorf("%s", o.Out)
	}
	if text := cmdtest.Read(t, filepath.Join(out, filepath.Base(set)+".hopstream.jsonl")); strings.Contains(text, "Mina Quist\",\"status") || strings.Count(text, `"unanswerable":true`) != 3 {
		t.Errorf("the records are\n%s", text)
	}
	hoplab(t, "", "eval", set, "--out", out, "--resume").Complains(2, "measured otherwise", "settings")
	hoplab(t, "", "eval", set, "--withhold-gold", "--oracle").Complains(2, "choose one")
	cmdtest.WriteFile(t, filepath.Join(set, "questions.jsonl"), `{"id":"1","question":"Who?","answers":["x"]}`)
	hoplab(t, "", "eval", set, "--withhold-gold").Complains(2, "of no question of", "are gold passages known")
}

// Questions that ask for records are measured by fact: AA, AC and, of what was
// retrieved, IRR.
func TestEvalRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmdtest.WriteFile(t, filepath.Join(dir, "corpus.jsonl"), `{"id":"a","title":"Lumenol","text":"Lumenol is a drug that treats Venn disease. It causes nausea."}
{"id":"b","title":"Tarnbex","text":"Tarnbex is a drug that treats Venn disease. It causes headache."}
`)
	cmdtest.WriteFile(t, filepath.Join(dir, "questions.jsonl"), `{"id":"1","question":"Which drugs treat Venn disease, and what do they cause?","records":[{"drug_name":"Lumenol","active_molecule":null,"adverse_effects":"nausea; dizziness"},{"drug_name":"Tarnbex","adverse_effects":"headache"}]}`)
	o := hoplab(t, "", "eval", dir, "--json", "-").Exits(0)
	var measured struct {
		Total struct {
			IRR    float64
			Counts map[string]int
		}
	}
	if err := json.Unmarshal([]byte(o.Out), &measured); err != nil {
		t.Fatal(err)
	}
	// Of five different facts the passages hold four.
	if c := measured.Total.Counts; c["aa"] != 1 || c["ac"] != 1 || c["irr"] != 1 || measured.Total.IRR != 80 {
		t.Errorf("%s", o.Out)
	}
	hoplab(t, "", "eval", dir, "--funnel").Exits(0).Prints("AA", "AC", "IRR", "80.0")
}

// TestEvalGoldRelevance holds that a filter that finds nothing relevant leaves what
// it is told to.
func TestEvalGoldRelevance(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl":    `{"id":"a","title":"Lumen Bridge","text":"The Lumen Bridge was designed by Orla Venn."}` + "\n",
		"questions.jsonl": `{"id":"1","question":"Who designed the Lumen Bridge?","answers":["Orla Venn"],"supporting":["gone"],"class":"single"}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for none, status := range map[string]string{"best": "1 answered", "none": "1 unanswered", "direct": "1 unanswered"} {
		config := cmdtest.TempFile(t, "c.yaml", "filter: {if_none: "+none+"}\nrouter: {force: single}\n")
		hoplab(t, "", "eval", "--gold-relevance", "--preset", "hanrag", "--config", config, dir).Exits(0).Prints("engine gold relevance over builtin", status)
	}
	hoplab(t, "", "eval", "--gold-relevance", "--oracle", dir).Complains(2, "choose it or --gold-relevance")
}
