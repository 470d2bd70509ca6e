package stages_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/retriever"
)

// A stage is a function from one message to those that follow from it. Here a
// question goes from stage to stage by hand, without a broker: what package
// runner does between two stages is to store the message and deliver it. The
// engine and the search are scripted. A subject names the question, the round
// and the branch.
func Example() {
	engine := &scripted.Engine{
		Set: roles.Set{
			ClassifyFunc: func(context.Context, string) (messages.Class, error) { return messages.Single, nil },
			RelevantFunc: func(_ context.Context, _ string, passages []messages.Passage) ([]bool, error) {
				return []bool{true, false}, nil
			},
			AnswerFunc: func(_ context.Context, _ string, windows []messages.Window) (messages.Finding, error) {
				return messages.Finding{Text: "Vega", Sources: []messages.Source{{ID: windows[0].Passage}}}, nil
			},
		},
		SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) {
			return []messages.Passage{
				{ID: "vega", Text: "Vega is the brightest star of the Lyre."},
				{ID: "swan", Text: "The Swan flies along the Milky Way."},
			}, nil
		},
	}
	parts := stages.Parts{Engine: engine, Search: retriever.Plain(engine)}
	parts.Aligner.Off = true // the filter then writes what the aligner would have written
	logics := stages.Assemble(stages.Pipeline(), parts)

	question := &messages.Question{Question: "Which star is the brightest of the Lyre?"}
	question.Accept("q-1", time.Now(), messages.Policy{}, "")
	var next messages.Message = question
	for {
		i := slices.IndexFunc(logics, func(l stages.Logic) bool { return l.Stage.Input == next.Kind() })
		if i < 0 {
			break // no stage reads an answer
		}
		out, err := logics[i].Handle(context.Background(), next.(messages.Carrier))
		if err != nil {
			fmt.Println(err)
			return
		}
		next = out[0]
		fmt.Printf("%-9s writes %s\n", logics[i].Stage.Name, messages.DefaultNames().Of(next))
	}
	answer := next.(*messages.Answer)
	fmt.Println(answer.Status, answer.Answer, answer.Hops[0].Passages)
	// Output:
	// router    writes hop.v1.retrieve.q-1.1.1
	// retriever writes hop.v1.filter.q-1.1.1
	// filter    writes hop.v1.generate.q-1.1.1
	// generator writes hop.v1.answer.q-1
	// answered Vega [vega]
}

// The table says what each stage reads and what it may write; a stage before
// one that can be off may also write what that one writes. The sub-queries of
// a stored plan are sent by the runner.
func ExamplePipeline() {
	for _, stage := range stages.Pipeline() {
		var writes []messages.Kind
		for _, out := range stage.Outputs {
			if !slices.Contains(writes, out.Kind) {
				writes = append(writes, out.Kind)
			}
		}
		fmt.Printf("%s: %s -> %v\n", stage.Name, stage.Input, writes)
	}
	// Output:
	// router: question -> [retrieve decompose generate]
	// decomposer: decompose -> [plan generate]
	// retriever: retrieve -> [filter generate align]
	// filter: filter -> [align generate]
	// aligner: align -> [generate]
	// generator: generate -> [answer subanswer retrieve decompose]
	// aggregator: subanswer -> [judge generate]
	// judge: judge -> [decompose generate]
}
