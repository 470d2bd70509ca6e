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
	mu    sync.Mutex
	ratio float64 // count over estimate, on the side of too many
}

// The smallest and the largest ratio that is believed.
const (
	minRatio = 0.5
	maxRatio = 8
)

// tokens returns the corrected estimate of messages.
func (g *gauge) tokens(messages []Message) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return int(float64(Estimate(messages)) * g.now())
}

func (g *gauge) now() float64 {
	if g.ratio == 0 {
		return 1
	}
	return g.ratio
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
	if seen > g.now() {
		g.ratio = seen
		return
	}
	g.ratio = g.now() + (seen-g.now())/64
}

// raise increases the ratio after a prompt proved too long.
func (g *gauge) raise() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ratio = min(g.now()*1.3, maxRatio)
}
