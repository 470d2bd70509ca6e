package messages_test

import (
	"time"

	"hopstream/messages"
)

var asked = time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, time.UTC)

// head returns a head with every field set.
func head(round, branch, branches int) messages.Head {
	return messages.Head{
		ID: "q-1", Round: round, Branch: branch, Branches: branches,
		Class: messages.Complex, Question: "Wer schrieb „Faust“?", Asked: asked, Deadline: asked.Add(time.Minute),
		Budget: messages.DefaultBudget(),
		Usage:  messages.Usage{ModelCalls: 3, PromptTokens: 40, CompletionTokens: 5},
		Base:   messages.Usage{ModelCalls: 1, PromptTokens: 10, CompletionTokens: 2},
		Pairs:  []messages.Pair{pair(1, 1)},
		Trace:  "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
	}
}

func pair(round, branch int) messages.Pair {
	return messages.Pair{Round: round, Branch: branch, Question: "Which play?", Answer: "Faust", Confidence: 0.75,
		Sources: []messages.Source{{ID: "doc 1#2", Title: "Faust"}}}
}

// samples returns one message of every kind, with every field set.
func samples() []messages.Message {
	passages := []messages.Passage{{ID: "doc 1#2", Title: "Faust", Text: "Goethe wrote it.", Score: 1.5, Rank: 1}}
	windows := []messages.Window{{Passage: "doc 1#2", Title: "Faust", Text: "Goethe wrote", Scale: 150, Score: 0.5}}
	failed := pair(2, 1)
	failed.Answer, failed.Failed, failed.Error = "", true, "the search is down"
	answer := messages.NewAnswer(new(head(2, 0, 0)), messages.Partial,
		messages.Finding{Text: "Goethe", Confidence: 0.9, Sources: []messages.Source{{ID: "doc 3"}}}, "one part failed", asked.Add(1500*time.Microsecond))
	answer.Trace = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
	return []messages.Message{
		&messages.Question{ID: "q-1", Question: "Wer schrieb „Faust“?", Deadline: messages.Deadline{After: 90 * time.Second},
			Budget: messages.Budget{Rounds: 2, Branches: 3, ModelCalls: 40, Tokens: 5000}},
		&messages.Decompose{Head: head(2, 0, 0)},
		&messages.Plan{Head: head(2, 0, 0), Queries: []string{"one?", "two?"}},
		&messages.Retrieve{Head: head(2, 1, 2), Query: "one?"},
		&messages.Filter{Head: head(2, 1, 2), Query: "one?", Passages: passages},
		&messages.Align{Head: head(2, 1, 2), Query: "one?", Passages: passages},
		&messages.Generate{Head: head(2, 1, 2), Query: "one?", Windows: windows, Cut: "stopped after 2 rounds"},
		&messages.Subanswer{Head: head(2, 1, 2), Pair: failed},
		&messages.Judge{Head: head(2, 0, 0)},
		answer,
		&messages.Dead{Stage: "filter", ID: "q-1", Seq: 7, Subject: "hop.v1.filter.q-1.1.1", Error: "bad", Deliveries: 3, At: asked, Data: []byte{0xff, '{'}},
		&messages.Document{ID: "a/b c.txt#1", Title: "Faust", Text: "Goethe wrote it.", Deleted: true},
	}
}

// withRoles returns messages whose usage tells the roles.
func withRoles() []messages.Message {
	h := head(2, 1, 2)
	h.Base.Roles = []messages.RoleUsage{{Role: "router", Calls: 1, PromptTokens: 10, CompletionTokens: 2, QueueMS: 4, ModelMS: 900}}
	h.Usage.Roles = append([]messages.RoleUsage{
		{Role: "embedder", Calls: 2, PromptTokens: 20, ModelMS: 30},
		{Role: "relevance", Calls: 2, PromptTokens: 30, CompletionTokens: 3, QueueMS: 1200, ModelMS: 2500},
	}, h.Base.Roles...)
	joined := h
	joined.Branch, joined.Branches, joined.Base = 0, 0, messages.Usage{}
	return []messages.Message{
		&messages.Retrieve{Head: h, Query: "one?"},
		&messages.Subanswer{Head: h, Pair: pair(2, 1)},
		messages.NewAnswer(&joined, messages.Answered, messages.Finding{Text: "Goethe", Confidence: 0.9}, "", asked.Add(time.Second)),
	}
}

// withSearch returns messages that tell how a search went: who found what,
// where it stands, and who did not help.
func withSearch() []messages.Message {
	h := head(2, 1, 2)
	passages := []messages.Passage{
		{ID: "doc 1#2", Title: "Faust", Text: "Goethe wrote it.", Score: 1.5, Rank: 1, By: []string{"bm25", "links"}},
		{ID: "https://example.org/faust", Title: "Faust", Text: "A play.", Score: 1.25, Rank: 2, By: []string{"web"}, URL: "https://example.org/faust?a=1&b=<2>"},
		{ID: "doc 3", Text: "Nobody says who found it.", Rank: 3},
	}
	degraded := []string{"dense: timeout", `web: "brave" is suspended`}
	found := messages.Finds(passages)
	p := pair(2, 1)
	p.Sources = []messages.Source{found[1].Source}
	p.Found, p.Degraded = found, degraded
	joined := h
	joined.Branch, joined.Branches, joined.Base = 0, 0, messages.Usage{}
	joined.Pairs = append(joined.Pairs, p)
	return []messages.Message{
		&messages.Filter{Head: h, Query: "one?", Passages: passages, Degraded: degraded},
		&messages.Align{Head: h, Query: "one?", Passages: passages[:1], Degraded: degraded},
		&messages.Generate{Head: h, Query: "one?", Windows: []messages.Window{{Passage: "doc 1#2", Text: "Goethe"}}, Found: found, Degraded: degraded},
		&messages.Subanswer{Head: h, Pair: p},
		messages.NewAnswer(&joined, messages.Answered, messages.Finding{Text: "Goethe"}, "", asked.Add(time.Second)),
	}
}

// withDocs returns messages that tell which documents were to be read.
func withDocs() []messages.Message {
	h := head(2, 1, 2)
	h.Seq, h.Docs = 41, 43_158
	whole := h
	whole.Branch, whole.Branches, whole.Base = 0, 0, messages.Usage{}
	return []messages.Message{
		&messages.Decompose{Head: whole},
		&messages.Retrieve{Head: h, Query: "one?"},
		messages.NewAnswer(&whole, messages.Answered, messages.Finding{Text: "Goethe"}, "", asked.Add(time.Second)),
	}
}

// withPlanState returns messages that tell what was decided about a question's
// way, and what an answer of several things consists of.
func withPlanState() []messages.Message {
	claims := []messages.Claim{{Text: "Goethe", Citations: []messages.Source{{ID: "doc 1#2", Title: "Faust"}}}, {Text: "1808", Question: "When?"}}
	h := head(2, 1, 2)
	h.PlanState = messages.PlanState{Strategy: messages.Planned, Rerouted: messages.Escalated, Parts: []string{"Which play?", "Who wrote $1?", "When was $1 printed?"}, Part: 2, Repaired: true}
	h.Pairs[0].Part, h.Pairs[0].Claims = 1, claims
	whole := h
	whole.Branch, whole.Branches, whole.Part, whole.Base = 0, 0, 0, messages.Usage{}
	return []messages.Message{
		&messages.Question{ID: "q-1", Question: "Who?", Class: messages.Complex, Strategy: messages.Supplement},
		&messages.Plan{Head: whole, Queries: []string{"Who wrote Faust?", "When was Faust printed?"}, Answers: []int{2, 3}},
		&messages.Retrieve{Head: h, Query: "Who wrote Faust?"},
		messages.NewAnswer(&whole, messages.Answered, messages.Finding{Text: "Goethe; 1808", Claims: claims}, "", asked.Add(time.Second)),
	}
}
