package builtin

import (
	"context"
	"slices"

	"hopstream/index/lang"
	"hopstream/messages"
)

// maxFindings bounds the findings fused.
const maxFindings = 32

// Fuse makes one finding of those of several window scales: the one that the
// others agree with most, an equal answer counting in full and one that
// contains it or is contained in it counting half, all by confidence. The
// sources are those of the findings that agree, the chosen one's first. The
// items of lists are put together.
func (e *engine) Fuse(_ context.Context, _ string, findings []messages.Finding, _ []messages.Passage) (messages.Finding, error) {
	findings = findings[:min(len(findings), maxFindings)]
	keys := make([][]uint64, len(findings))
	for i := range findings {
		keys[i] = answerKey(findings[i].Text)
	}
	best := -1
	var top, sum float64
	for i := range findings {
		if findings[i].Text == "" {
			continue
		}
		sum += findings[i].Confidence
		var s float64
		for j := range findings {
			s += findings[j].Confidence * agree(keys[i], keys[j])
		}
		if s > top || best < 0 {
			best, top = i, s
		}
	}
	if best < 0 {
		return messages.Finding{}, nil
	}
	out := messages.Finding{Text: findings[best].Text, Confidence: findings[best].Confidence, Sources: slices.Clone(findings[best].Sources), Claims: findings[best].Claims}
	for j := range findings {
		if j != best && agree(keys[best], keys[j]) > 0 {
			// Agreement closes a part of the remaining doubt.
			out.Confidence += (1 - out.Confidence) * findings[j].Confidence * fuseBelief
			out.Sources = messages.AddSources(out.Sources, findings[j].Sources...)
		}
	}
	if sum > 0 {
		out.Confidence *= 0.5 + 0.5*top/sum
	}
	return out, nil
}

// agree is 1 for the same words, less where one list contains the other.
func agree(a, b []uint64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if slices.Equal(a, b) {
		return 1
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for _, h := range a {
		if slices.Contains(b, h) {
			n++
		}
	}
	if n == len(a) {
		return 0.5
	}
	return 0
}

// answerKey returns the hashes of an answer's words but articles.
func answerKey(text string) []uint64 {
	toks := lang.Tokens(clip(text, 1024))
	out := make([]uint64, 0, len(toks))
	for i := range toks {
		switch toks[i].Norm {
		case "a", "an", "the":
		default:
			if len(out) < 64 {
				out = append(out, toks[i].Hash)
			}
		}
	}
	return out
}
