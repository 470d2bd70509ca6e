package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/render"
	"hopstream/messages"
)

func TestDemo(t *testing.T) {
	t.Parallel()
	o := hopstream(t, "", "demo").Exits(0)
	o.Prints("passages indexed", "straightforward ·", "single ·", "compound ·", "complex ·", "└─ 2.1", "❯ ", "[1]",
		"❯ What is 17 times 23?\n391\n", "❯ What is polonium named after?\nPoland\n", "Polonium is named after Poland, the homeland of Marie Curie.",
		"❯ Who discovered penicillin?\n(unanswered: no answer found in the documents)\n", "Warsaw; 4 July 1934\n", "❯ What is the capital of the country where Albert Einstein was born?\nBerlin\n")
	if o.Err != "" {
		t.Errorf("the demo says %q", o.Err)
	}
	for id, a := range hopstream(t, "", "demo", "--all", "--json").Exits(0).Answers() {
		switch {
		case id == "penicillin":
			if a.Status != messages.Unanswered || len(a.Evidence) != 0 {
				t.Errorf("%+v", a)
			}
		case a.Status != messages.Answered:
			t.Errorf("%s ended as %s: %s", id, a.Status, a.Error)
		case (len(a.Evidence) == 0) != (a.Class == messages.Straightforward):
			t.Errorf("%s: evidence %+v", id, a.Evidence)
		}
	}
}

func TestAskPrintsAnswerAndCitations(t *testing.T) {
	t.Parallel()
	docs := cmdtest.Corpus(t)
	o := hopstream(t, "", "ask", "--docs", docs, "Where was Marie Curie born?").Exits(0)
	if !strings.HasPrefix(o.Out, "Warsaw\n  ") || !strings.Contains(o.Out, "\n  [1] Marie Curie (marie-curie)\n") || o.Err != "" {
		t.Errorf("prints %q, says %q", o.Out, o.Err)
	}
	hopstream(t, "", "ask", "--docs", docs, "--trace", "What is the capital of the country where Albert Einstein was born?").
		Exits(0).Prints("Berlin", "complex · 2 steps · 2 hops", "1.1", "2.1", "albert-einstein")
	// No answer is an answer, and an exit code.
	arlen := cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway.")
	hopstream(t, "", "ask", "--docs", arlen, "Who is the king of Blorbistan?").Exits(1).Prints("(unanswered: ")
}

// The line's fields are fixed, and so is that they are there.
func TestAnswerLineFields(t *testing.T) {
	t.Parallel()
	o := hopstream(t, "", "ask", "--docs", cmdtest.Corpus(t), "--json", "--id", "q1", "Where was Marie Curie born and when did she die?").Exits(0)
	var line map[string]json.RawMessage
	if err := json.Unmarshal([]byte(o.Out), &line); err != nil || strings.Count(o.Out, "\n") != 1 {
		t.Fatalf("not one line of JSON: %v: %q", err, o.Out)
	}
	keys := func(raw json.RawMessage) string {
		var m map[string]json.RawMessage
		if raw[0] == '[' {
			var list []map[string]json.RawMessage
			if err := json.Unmarshal(raw, &list); err != nil || len(list) == 0 {
				t.Fatalf("%s: %v", raw, err)
			}
			m = list[0]
		} else if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		return strings.Join(slices.Sorted(maps.Keys(m)), " ")
	}
	for what, want := range map[string][2]string{
		"line":      {keys(json.RawMessage(o.Out)), "answer citations claims class confidence docs_seq evidence hops id latency_ms question status steps usage"},
		"claims":    {keys(line["claims"]), "citations evidence question text"}, // of an answer of several things only
		"hops":      {keys(line["hops"]), "answer branch confidence evidence passages question round"},
		"citations": {keys(line["citations"]), "id title"},
		"usage":     {keys(line["usage"]), "completion_tokens model_calls prompt_tokens"},
	} {
		if want[0] != want[1] {
			t.Errorf("%s: fields %s, want %s", what, want[0], want[1])
		}
	}
	a := o.Answers()["q1"]
	if a.Class != messages.Compound || a.Steps != 1 || len(a.Hops) != 2 || a.LatencyMS <= 0 || a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
}

func TestFilesOfEveryKindAnswer(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(cmdtest.TempFile(t, "zorblat.md", "# Zorblat\nZorblat was invented by Mina Quist in 1987 in the town of Arlen."))
	for name, text := range map[string]string{
		"mina.html":  "<html><head><title>Mina Quist</title></head><body><p>Mina Quist was born in Oslo in 1950.</p></body></html>",
		"arlen.txt":  "Arlen is a small town in Norway.",
		"other.json": "{not read}",
	} {
		cmdtest.WriteFile(t, filepath.Join(dir, name), text)
	}
	hopstream(t, "", "ask", "--docs", dir, "Where was the inventor of Zorblat born?").Exits(0).Prints("Oslo", "mina.html", "zorblat.md")
	hopstream(t, "", "ask", "--docs", filepath.Join(dir, "arlen.txt"), "--docs", filepath.Join(dir, "zorblat.md"), "Where is Arlen?").
		Exits(0).Prints("Norway", "[1] arlen.txt")
}

func TestIndexKeepsDocuments(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	index := func(args ...string) cmdtest.Outcome {
		return hopstream(t, `{"id":"x","title":"Xyle","text":"Xyle is a river in Arlen."}`, append([]string{"index", "--data", data}, args...)...)
	}
	index(cmdtest.Corpus(t), "-").Exits(0).Prints("65 stored, 0 unchanged, 0 deleted, 0 failed")
	index("-", "--json").Exits(0).Prints(`{"stored":0,"unchanged":1,"deleted":0,"failed":0,"passed_over":[],"passed_over_count":0}`)
	hopstream(t, "", "ask", "--data", data, "Where was Marie Curie born?").Exits(0).Prints("Warsaw")
	index("--delete", "marie-curie").Exits(0).Prints("1 deleted")
	hopstream(t, "", "ask", "--data", data, "--json", "Where was Marie Curie born?")
	o := hopstream(t, "", "status", "--data", data).Exits(0)
	o.Prints("embedded, no workers running", "65 documents", "2 ended", "router", "judge")
}

func TestStreamAnswersEveryQuestion(t *testing.T) {
	t.Parallel()
	text, all := cmdtest.SampleLines(t)
	docs := cmdtest.Corpus(t)
	check := func(got map[string]render.Line) {
		t.Helper()
		if len(got) != len(all) {
			t.Errorf("%d lines for %d questions", len(got), len(all))
		}
		for _, q := range all {
			if a := got[q.ID]; q.Unanswerable() {
				if a.Question != q.Question || a.Status != messages.Unanswered {
					t.Errorf("%s: %+v", q.ID, a)
				}
			} else if a.Question != q.Question || a.Status != messages.Answered || a.Class != q.Class {
				t.Errorf("%s: %+v", q.ID, a)
			}
		}
	}
	o := hopstream(t, text, "stream", "--docs", docs).Exits(0)
	check(o.Answers())
	if o.Err != "12 answered, 1 unanswered\n" {
		t.Errorf("says %q", o.Err)
	}
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	if o := hopstream(t, "", "stream", "--docs", docs, "--in", cmdtest.TempFile(t, "q.jsonl", text), "--out", out, "--window", "2").Exits(0); o.Out != "" {
		t.Errorf("prints %q", o.Out)
	}
	check(cmdtest.ReadAnswerLines(t, cmdtest.Read(t, out)))
	hopstream(t, "", "stream", "--docs", docs).Exits(0).Says("no questions")
}

func TestStreamKeepsAnswersBetweenRuns(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	hopstream(t, "", "index", "--data", data, cmdtest.Corpus(t)).Exits(0)
	const first = `{"id":"a","question":"Where was Marie Curie born?"}` + "\n"
	one := hopstream(t, first, "stream", "--data", data).Exits(0)
	// The stored answer comes back, to the letter; another text is refused.
	two := hopstream(t, first+`{"id":"b","question":"When did Marie Curie die?"}`, "stream", "--data", data).Exits(0)
	if !strings.Contains(two.Out, one.Out) || len(two.Answers()) != 2 {
		t.Errorf("first %q, then %q", one.Out, two.Out)
	}
	three := hopstream(t, `{"id":"a","question":"Where?"}`+"\n"+`{"id":"c","question":"Where was Marie Curie born?"}`, "stream", "--data", data).Exits(1)
	three.Says("question a: the ID is taken by another question", "choose a new ID", "1 answered, 1 rejected")
	if got := three.Answers(); len(got) != 1 || got["c"].Answer != "Warsaw" {
		t.Errorf("%q", three.Out)
	}
	hopstream(t, "", "ask", "--data", data, "--id", "a", "Where?").Complains(1, "taken by another question", "choose a new ID")
}

func TestEveryCommandHelps(t *testing.T) {
	t.Parallel()
	noExample := []string{"demo", "dead", "dead ls", "completion"}
	root := program.Root(cli.Stdio{In: strings.NewReader(""), Out: &cmdtest.Buffer{}, Err: &cmdtest.Buffer{}}, nil)
	commands := root.Commands()
	for _, c := range root.Commands() {
		commands = append(commands, c.Commands()...)
	}
	for _, c := range commands {
		name := strings.TrimPrefix(c.CommandPath(), "hopstream ")
		if c.Hidden {
			hopstream(t, "", name, "--help").Complains(2, "use hoplab "+name)
			continue
		}
		o := hopstream(t, "", append(strings.Fields(name), "--help")...).Exits(0)
		o.Prints("Usage:\n  hopstream "+name, "--nats string")
		if c.Short == "" || strings.Contains(o.Out, "Example") == slices.Contains(noExample, name) {
			t.Errorf("%s has no example:\n%s", name, o.Out)
		}
	}
	hopstream(t, "").Exits(0).Prints("Start with:  hopstream demo", "--data string")
}

// TestQuestionBringsItsOwnWay holds that class and strategy of a line go
// before what is configured, and that wrong ones are told.
func TestQuestionBringsItsOwnWay(t *testing.T) {
	t.Parallel()
	in := `{"id":"a","question":"What is the capital of the country where Albert Einstein was born?","strategy":"refine"}
{"id":"b","question":"Where was Marie Curie born and when did she die?","class":"single"}
{"id":"c","question":"Where was Marie Curie born?","class":"bridge"}
`
	o := hopstream(t, in, "stream", "--docs", cmdtest.Corpus(t)).Exits(1)
	a := o.Answers()
	if a["a"].Class != messages.Complex || a["a"].Strategy != messages.Refine || a["a"].Answer != "Berlin" || a["b"].Class != messages.Single {
		t.Errorf("%+v, %+v", a["a"], a["b"])
	}
	if a["c"].Status != messages.Failed || !strings.Contains(a["c"].Error, `no class "bridge": choose from`) {
		t.Errorf("%+v", a["c"])
	}
}
