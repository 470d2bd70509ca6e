package eval

import (
	"context"
	"slices"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// embedder turns texts into vectors.
type embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// scorer measures answers.
type scorer struct {
	judge  equivalence // nil: nobody is asked
	embed  embedder
	routes bool // the router decides; else classes are given or forced
}

func newScorer(c *config.Config, e embedder) scorer {
	return scorer{embed: e, routes: !c.Router.Oracle && c.Router.Force == ""}
}

// score measures an answer and the way to it.
func (s scorer) score(ctx context.Context, q *dataset.Question, a *messages.Answer, t trail) (report.Record, error) {
	r := report.Record{
		ID: q.ID, Question: q.Question, Type: q.Type, Gold: q.Class, Routed: s.routed(a, t), Class: a.Class,
		Answer: a.Answer, Confidence: a.Confidence, Status: a.Status, Error: a.Error, Steps: a.Steps, Queries: len(t.queries),
		ModelCalls: a.Usage.ModelCalls, Tokens: a.Usage.PromptTokens + a.Usage.CompletionTokens, LatencyMS: a.LatencyMS,
	}
	scoreAnswer(&r, q, a)
	scoreTrail(&r, q, t)
	if len(t.sought) > 0 {
		// An embedder that fails does not end the run. The question is then left
		// out of H_mix, which is reported with the number of its questions.
		vectors, err := s.embed.Embed(ctx, t.sought)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err == nil {
			h := score.HMix(vectors)
			r.HMix = &h
		}
	}
	if golds := goldTexts(q); s.judge != nil && len(golds) > 0 {
		// An exact match and a missing answer need no judge.
		same := r.EM == 1
		if !same && a.Answer != "" {
			var err error
			if same, err = s.judge.Equivalent(ctx, q.Question, a.Answer, golds); err != nil {
				return r, err
			}
		}
		r.Judged = &same
	}
	return r, nil
}

// unrouted stands for the class of a question that ended before it had one.
const unrouted messages.Class = "none"

// routed returns the router's decision, even if the question was rerouted
// later.
func (s scorer) routed(a *messages.Answer, t trail) messages.Class {
	switch {
	case !s.routes:
		return ""
	case t.direct:
		return messages.Straightforward
	case a.Rerouted == messages.Escalated:
		return messages.Single
	case t.planned != "":
		return t.planned
	case a.Class == "":
		return unrouted
	}
	return a.Class
}

// scoreAnswer compares the answer with the gold. Of a question that the documents
// do not answer, it is right to say so (unanswered), and nothing else is. If the answer has to name
// several things, Acc is the share of them that it names (HANRAG), and EM is 1
// only if it names all of them and nothing else.
func scoreAnswer(r *report.Record, q *dataset.Question, a *messages.Answer) {
	if r.Unanswerable = q.Unanswerable; q.Unanswerable {
		if a.Status == messages.Unanswered {
			r.EM, r.F1, r.Acc = 1, 1, 1
		}
		return
	}
	several := wanted(q)
	if len(several) == 0 {
		r.Wanted = firstOf(q.Answers)
		r.EM, r.F1, r.Acc = score.EM(a.Answer, q.Answers), score.F1(a.Answer, q.Answers), score.Acc(a.Answer, q.Answers)
		return
	}
	given := givenAnswers(a)
	aa, ac := score.Lists(given, several)
	if len(q.Records) > 0 {
		aa, ac = scoreRecords(q, a)
	}
	r.AA, r.AC = &aa, &ac
	r.Acc = score.Entities(a.Answer, several)
	r.EM, r.F1 = score.SameList(given, several), score.F1(a.Answer, []string{strings.Join(names(several), " ")})
	r.Wanted = names(several)
	if !q.List && len(q.Answers) > 0 { // the gold also has texts that name all of them: compare with these
		r.EM, r.F1 = score.EM(a.Answer, q.Answers), score.F1(a.Answer, q.Answers)
	}
}

// scoreRecords returns AA and AC of a question that asks for records (MuISQA). The
// claims of an answer that have fields are records, compared one by one with the
// gold ones; a claim without is a record of a single fact. Of an answer without any
// field, the gold facts that stand somewhere in its text were given, and its claims,
// or the text as a whole, are right where they hold one.
func scoreRecords(q *dataset.Question, a *messages.Answer) (aa, ac float64) {
	golds := make([][]score.Fact, len(q.Records))
	var all []dataset.Entity
	for i, r := range q.Records {
		golds[i] = facts(r)
		for _, f := range golds[i] {
			all = append(all, dataset.Entity{f.Value})
		}
	}
	var given [][]score.Fact
	structured := false
	for _, c := range a.Claims {
		if len(c.Fields) > 0 {
			structured = true
			given = append(given, facts(c.Fields))
			continue
		}
		given = append(given, score.FactsOf("", c.Text))
	}
	if structured {
		return score.Records(given, golds)
	}
	aa, _ = score.Lists(givenAnswers(a), all)
	return aa, score.Found(append(givenAnswers(a), a.Answer), all)
}

// givenAnswers returns the things that an answer names: its claims, or its
// text.
func givenAnswers(a *messages.Answer) []string {
	if len(a.Claims) == 0 {
		return []string{a.Answer}
	}
	out := make([]string, len(a.Claims))
	for i, c := range a.Claims {
		out[i] = c.Text
	}
	return out
}

// scoreTrail measures how much of the gold was still there after each stage.
func scoreTrail(r *report.Record, q *dataset.Question, t trail) {
	texts := textsOf(t.retrieved)
	if score.NewHaystack(texts...).Has(append(slices.Concat(wanted(q)...), q.Answers...)...) {
		r.Succ = 1
	}
	if len(q.Supporting) > 0 {
		found := documentsOf(t.retrieved)
		for _, id := range q.Supporting {
			r.GoldRanks = append(r.GoldRanks, slices.Index(found, id)+1)
		}
		kept := score.Recall(documentsOf(t.kept), q.Supporting, len(t.kept))
		r.Kept = &kept
	}
	if facts := retrievable(q); len(facts) > 0 {
		irr := score.Found(texts, facts)
		r.IRR = &irr
	}
	if facts := steps(q); len(facts) > 0 {
		inside := make([]string, len(t.windows))
		for i, w := range t.windows {
			inside[i] = w.Title + " " + w.Text
		}
		windowed := score.Found(inside, facts)
		r.Windowed = &windowed
	}
}
