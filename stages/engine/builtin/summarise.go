package builtin

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/plan"
)

// Summarise answers the query from its windows, as LevelRAG's summaries do,
// with the answer alone: it is what follow-up queries and the synthesis need.
// The sentence around it, from which they would have to take it again, came
// out worse: F1 19.5, 70.3 and 32.1 instead of 20.0, 70.7 and 32.7 on the
// development questions of MuSiQue, 2WikiMultihopQA and HotpotQA. Summaries
// that are sentences, as other engines write them, are read all the same
// (gists). The only error is the context's.
func (e *engine) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	if err := ctx.Err(); err != nil {
		return messages.Finding{}, err
	}
	return e.Answer(ctx, query, windows)
}

// minStatement is how many words a statement has at least; shorter answers are
// taken as they stand.
const minStatement = 6

// maxShort is how many words of an answer another question can hold.
const maxShort = 12

// short returns the pairs with their answers as other questions can hold them: of
// a whole sentence, or of more than maxShort words, what in it answers the pair's
// question.
func (e *engine) short(pairs []messages.Pair) []messages.Pair {
	return e.cut(pairs, func(answer string) bool {
		return wholeSentence(answer) || len(strings.Fields(answer)) > maxShort
	})
}

// gists is short for whole sentences alone: of several, the answer to the question
// itself may take more.
func (e *engine) gists(pairs []messages.Pair) []messages.Pair { return e.cut(pairs, wholeSentence) }

// cut replaces the answers that are long by their spans.
func (e *engine) cut(pairs []messages.Pair, long func(answer string) bool) []messages.Pair {
	out := pairs
	for i := range pairs {
		if pairs[i].Open() || !long(pairs[i].Answer) {
			continue
		}
		if &out[0] == &pairs[0] {
			out = slices.Clone(pairs)
		}
		out[i].Answer = e.spanWithin(&pairs[i])
	}
	return out
}

// spanWithin returns the span of a pair's answer that answers its question, or the
// answer if there is none.
func (e *engine) spanWithin(p *messages.Pair) string {
	w := messages.Window{Text: p.Answer}
	if len(p.Sources) > 0 {
		w.Passage, w.Title = p.Sources[0].ID, p.Sources[0].Title
	}
	if f := e.spanOf(p.Question, []messages.Window{w}); f.Text != "" {
		return f.Text
	}
	return p.Answer
}

// wholeSentence reports whether an answer is one whole sentence: words with a verb
// from a capital to a full stop.
func wholeSentence(answer string) bool {
	answer = strings.TrimSpace(answer)
	if len(answer) < 2*minStatement || len(answer) > maxText || !strings.HasSuffix(answer, ".") || plan.Abbreviated(answer) {
		return false
	}
	toks := lang.Tokens(answer)
	if first, _ := utf8.DecodeRuneInString(answer); !unicode.IsUpper(first) || len(toks) < minStatement {
		return false
	}
	for i := 1; i+1 < len(toks); i++ {
		t := &toks[i]
		if t.First {
			return false // several sentences
		}
		if _, form := lang.Verb(t.Norm); lang.IsAuxiliary(t.Norm) || !t.Cap && form&(lang.VerbPast|lang.VerbThird) != 0 {
			return true
		}
	}
	return false
}
