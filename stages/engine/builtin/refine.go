package builtin

import (
	"context"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

// Refine returns the next question to ask on the way to a complex question's
// answer, or "" when nothing is left to ask.
//
// The question is parsed into a plan: the descriptions nested in it ("the
// county where Van Hook Township is located") become steps, innermost first,
// and leave a slot where they stood; a comparison becomes one question for
// each side. The pairs are then replayed into the plan: an answer fills its
// slot, a question that was asked in vain leaves its description in place.
// When the plan ends without an answer, the question is asked as it stands,
// once. Nothing but question and pairs is looked at, so that any worker comes
// to the same result. The only error is the context's.
func (e *engine) Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return refine(question, e.short(pairs)), nil
}

// maxPairs bounds the sub-questions after which nothing more is asked.
const maxPairs = 12

func refine(question string, pairs []messages.Pair) string {
	question = strings.TrimSpace(question)
	if question == "" || len(question) > messages.MaxQuestion || len(pairs) >= maxPairs {
		return ""
	}
	p := planOf(question)
	return p.next(question, pairs)
}

// commonWord reports whether a normal form is an everyday word.
func commonWord(norm string) bool { return lang.IsStop(norm) || lang.IsCommon(lang.Stem(norm)) }
