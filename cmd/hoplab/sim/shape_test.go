package sim

import (
	"testing"

	"hopstream/messages"
	"hopstream/prompts"
)

// TestRecordsAreSaid holds that an engine's records are said as items with fields
// where the prompt shows such, that items without are said without, and that a
// prompt which shows none gets the text.
func TestRecordsAreSaid(t *testing.T) {
	t.Parallel()
	one := []messages.Source{{ID: "1"}}
	tarn := messages.Claim{Text: "Tarn", Citations: one, Fields: []messages.Field{{Name: "length", Value: `12 "km"`}, {Name: "source"}}}
	records := messages.Finding{Text: "Tarn (length: 12 km); Aune", Claims: []messages.Claim{tarn, {Text: "Aune"}}}
	plain := messages.Finding{Text: "Tarn; Aune", Sources: one, Claims: []messages.Claim{{Text: "Tarn", Citations: one}, {Text: "Aune"}}}
	const said = `"answer":"Tarn","fields":[{"name":"length","value":"12 \"km\""},{"name":"source","value":""}]}`
	for _, x := range []struct {
		prompt string
		found  messages.Finding
		want   string
	}{
		{"answerer", records, `{"quotes":[],"answer":"","passages":[],"items":[{"passages":[1],` + said + `,{"passages":[],"answer":"Aune"}]}`},
		{"scale_answerer", messages.Finding{Text: "Tarn", Claims: []messages.Claim{tarn}}, `{"quotes":[],"answer":"","passages":[],"items":[{"passages":[1],` + said + `]}`},
		{"answerer", plain, `{"quotes":[],"answer":"","passages":[],"items":[{"passages":[1],"answer":"Tarn"},{"passages":[],"answer":"Aune"}]}`},
		{"synthesis", records, `{"findings":[],"answer":"","items":[{"findings":[1],` + said + `,{"findings":[],"answer":"Aune"}]}`},
		{"synthesis", plain, `{"findings":[1],"answer":"Tarn; Aune"}`},
		{"fusion", plain, `{"readers":[1],"answer":"Tarn; Aune"}`},
	} {
		sh := shapeOf(prompts.Render(x.prompt, prompts.Data{}).System)
		if got := sh.write(sh.say(x.found, &prompts.Data{Question: "Which?"})); got != x.want {
			t.Errorf("%s: %s, want %s", x.prompt, got, x.want)
		}
	}
}
