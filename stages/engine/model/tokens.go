package model

import (
	"sync"
	"unicode/utf8"
)

// Estimates of a prompt's length in tokens, per character, on the side of too
// many; the gauge corrects them by what the server counts.
const (
	tokensPerLetter = 0.28 // English runs at 0.2 to 0.25
	tokensPerDigit  = 0.6
	tokensPerMark   = 0.7
	tokensPerRune   = 0.7 // of other alphabets
	tokensPerWide   = 1.3 // of ideographs and symbols
	tokensPerTurn   = 8   // what a chat template adds to a message
)

// Estimate returns how many tokens messages make, about.
func Estimate(messages []Message) int {
	n := 0.0
	for _, m := range messages {
		n += tokensPerTurn + estimate(m.Text)
	}
	return int(n) + 1
}

func estimate(s string) float64 {
	var n float64
	for _, r := range s {
		switch {
		case r >= 0x2E80:
			n += tokensPerWide
		case r >= utf8.RuneSelf:
			n += tokensPerRune
		case r == ' ' || r|0x20 >= 'a' && r|0x20 <= 'z':
			n += tokensPerLetter
		case r >= '0' && r <= '9':
			n += tokensPerDigit
		default:
			n += tokensPerMark
		}
	}
	return n
}

// gauge learns the ratio of a model's token counts to the estimates.
type gauge struct {
	mu      sync.Mutex
	counted float64 // count over estimate, on the side of too many; 0: none yet
	guessed float64 // the same, and raised where prompts proved too long; 0: not yet
}

// The smallest and the largest ratio that is believed.
const (
	minRatio = 0.5
	maxRatio = 8
)

// tokens returns how many tokens messages make, on the side of too many: prompts
// are made to fit by it. A refusal raises it for a while.
func (g *gauge) tokens(messages []Message) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return int(float64(Estimate(messages)) * known(g.guessed))
}

// expected returns how many tokens the server will count, by what it has counted so
// far. A refusal tells no count, so that it changes nothing here.
func (g *gauge) expected(messages []Message) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return int(float64(Estimate(messages)) * known(g.counted))
}

// known is the ratio, or 1 where none is known.
func known(ratio float64) float64 {
	if ratio == 0 {
		return 1
	}
	return ratio
}

// learn takes in a count: a higher ratio at once, a lower one slowly, so that
// the estimate stays above what most prompts need.
func (g *gauge) learn(estimated, counted int) {
	if estimated < 50 || counted <= 0 {
		return
	}
	seen := min(max(float64(counted)/float64(estimated), minRatio), maxRatio)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.counted, g.guessed = toward(known(g.counted), seen), toward(known(g.guessed), seen)
}

func toward(ratio, seen float64) float64 {
	if seen > ratio {
		return seen
	}
	return ratio + (seen-ratio)/64
}

// raise increases the ratio by which prompts are fitted, after one proved too long.
func (g *gauge) raise() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.guessed = min(known(g.guessed)*1.3, maxRatio)
}
