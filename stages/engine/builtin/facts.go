package builtin

import (
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

// thing is something a question names: an option, or one of two compared.
type thing struct {
	text   string
	hashes []uint64
}

func thingOf(text string) thing {
	t := thing{text: text}
	bare := text
	if i := strings.Index(bare, " ("); i > 0 {
		bare = bare[:i]
	}
	toks := lang.Tokens(clip(bare, 512))
	for i := range toks {
		if !toks[i].Stop {
			t.hashes = append(t.hashes, toks[i].Hash)
		}
	}
	if len(t.hashes) == 0 { // a title of structure words only
		for i := range toks {
			t.hashes = append(t.hashes, toks[i].Hash)
		}
	}
	return t
}

// in returns the share of the thing's words that are among toks.
func (t *thing) in(toks []lang.Token) float32 {
	if len(t.hashes) == 0 {
		return 0
	}
	n := 0
	for _, h := range t.hashes {
		for i := range toks {
			if toks[i].Hash == h {
				n++
				break
			}
		}
	}
	return float32(n) / float32(len(t.hashes))
}

// aspect is what two things are compared in.
type aspect uint8

const (
	aspectAny aspect = iota // the date most to do with the question
	aspectBorn
	aspectDied
	aspectQuantity
)

func aspectOf(q *lang.Question) aspect {
	if q.Compare != lang.None && !q.ByDate {
		return aspectQuantity
	}
	for i := range q.Tokens {
		switch t := &q.Tokens[i]; {
		case t.Hash == hashBorn || t.Norm == "older" || t.Norm == "younger" || t.Norm == "elder" || t.Norm == "oldest" || t.Norm == "youngest":
			return aspectBorn
		case t.Hash == hashDie:
			return aspectDied
		}
	}
	return aspectAny
}

// fact is a value found for a thing, and where.
type fact struct {
	value float64
	block int
	trust float32
}

// about calls visit for every block that is about t, the surest first: those
// whose title names it, else those whose text does.
func about(sc *scratch, t *thing, visit func(i int, trust float32) (more bool)) {
	for pass := range 2 {
		seen := false
		for i := range sc.blocks {
			b := &sc.blocks[i]
			var share, trust float32
			if pass == 0 {
				at := len(sc.toks)
				sc.toks = lang.AppendTokens(sc.toks, clip(b.title, 256))
				share, trust = t.in(sc.toks[at:]), 1
				if n := len(sc.toks) - at; n > 2*len(t.hashes)+2 {
					share *= 0.7
				}
				sc.toks = sc.toks[:at]
			} else {
				share, trust = t.in(sc.toks[b.from:b.to]), 0.6
			}
			if share < 0.75 {
				continue
			}
			seen = true
			if !visit(i, share*trust) {
				return
			}
		}
		if seen {
			return
		}
	}
}

// factOf finds the value of an aspect of t.
func factOf(sc *scratch, q *query, t *thing, a aspect) (best fact, ok bool) {
	var top float32 = -1
	about(sc, t, func(i int, trust float32) bool {
		b := &sc.blocks[i]
		toks := sc.toks[b.from:b.to]
		sc.values = lang.Values(sc.values[:0], b.text, toks)
		for n, v := range sc.values {
			dated := v.Kind == lang.Year || v.Kind == lang.Date
			if dated == (a == aspectQuantity) || dated && v.Value > 0 && v.Value < 10000 || v.Kind == lang.Ordinal {
				continue
			}
			s := trust + 0.3/float32(1+n)
			s += cue(toks, v.From, a)
			if a == aspectQuantity || a == aspectAny {
				for k := max(0, v.From-6); k < min(len(toks), v.To+4); k++ {
					if h := sc.hits[b.from+k]; h >= 0 && q.preds>>h&1 == 1 {
						s += 0.4
					}
				}
			}
			if s > top {
				best, top, ok = fact{v.Value, i, s}, s, true
			}
		}
		return true
	})
	return best, ok
}

// cue says how strongly the surroundings of the value at token i speak for a.
func cue(toks []lang.Token, i int, a aspect) (s float32) {
	bracket, dash := false, toks[i].Sep.Any(lang.Dash)
	for k, n := i, 0; k >= 0 && n < 12; k, n = k-1, n+1 {
		if toks[k].Sep.Any(lang.Open) {
			bracket = true
			break
		}
		if toks[k].Sep.Any(lang.Close | lang.End) {
			break
		}
		if k < i && toks[k].Sep.Any(lang.Dash) && n > 0 {
			dash = true
		}
	}
	var born, died bool
	for k := max(0, i-5); k < i; k++ {
		born = born || toks[k].Hash == hashBorn
		died = died || toks[k].Hash == hashDie
		if toks[k].First {
			born, died = false, false
		}
	}
	switch a {
	case aspectBorn:
		if born || bracket && !dash {
			s++
		}
		if died || bracket && dash {
			s--
		}
	case aspectDied:
		if died || bracket && dash {
			s++
		}
		if born && !died || bracket && !dash {
			s--
		}
	}
	return s
}

// countriesOf returns the countries t is said to be of: the first country or
// nationality each block about it names, its own lead before others.
func countriesOf(sc *scratch, t *thing) (out []string, at int) {
	at = -1
	about(sc, t, func(i int, _ float32) bool {
		b := &sc.blocks[i]
		for _, c := range countriesIn(sc.toks[b.from:b.to], 2) {
			out = append(out, c)
			if at < 0 {
				at = i
			}
		}
		return len(out) < 4
	})
	return out, at
}

// countriesIn returns the first n different countries that toks name, by
// name, nationality, or one of their states.
func countriesIn(toks []lang.Token, n int) (out []string) {
	var tmp [64]byte
	for i := 0; i < len(toks) && len(out) < n; i++ {
		if !toks[i].Cap {
			continue
		}
		key := tmp[:0]
		c := ""
		for j := i; j < min(i+3, len(toks)) && len(key)+len(toks[j].Norm) < len(tmp)-1; j++ {
			if j > i {
				key = append(key, ' ')
			}
			key = append(key, toks[j].Norm...)
			if x := lang.CountryOf(string(key)); x != "" {
				c = x
			} else if lang.ClassOf(string(key))&lang.State != 0 && c == "" {
				c = stateCountry(string(key))
			}
		}
		if c != "" {
			fresh := true
			for _, o := range out {
				fresh = fresh && o != c
			}
			if fresh {
				out = append(out, c)
			}
		}
	}
	return out
}

// stateCountry returns the country of a State of package lang: the United States
// for all that are not named here, "" for names that say nothing certain.
func stateCountry(state string) string {
	switch state {
	case "ontario", "quebec", "british columbia", "alberta", "manitoba", "saskatchewan", "nova scotia", "new brunswick", "newfoundland":
		return "canada"
	case "new south wales", "queensland", "victoria", "tasmania":
		return "australia"
	case "yorkshire", "cornwall", "kent", "essex", "sussex", "surrey", "lancashire":
		return "england"
	case "kerala", "tamil nadu", "punjab", "maharashtra", "karnataka", "gujarat", "bengal":
		return "india"
	case "bavaria", "saxony":
		return "germany"
	case "normandy", "brittany":
		return "france"
	case "sicily", "tuscany", "lombardy":
		return "italy"
	case "catalonia", "andalusia", "galicia":
		return "spain"
	case "northern ireland":
		return "united kingdom"
	case "hokkaido":
		return "japan"
	case "siberia":
		return "russia"
	case "transylvania":
		return "romania"
	case "bohemia", "moravia", "georgia", "washington", "england", "scotland", "wales":
		return ""
	}
	return "united states"
}

// sameCountry reports whether two lists of countries meet; the parts of the
// United Kingdom count as it.
func sameCountry(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if kingdom(x) == kingdom(y) {
				return true
			}
		}
	}
	return false
}

func kingdom(c string) string {
	switch c {
	case "england", "scotland", "wales":
		return "united kingdom"
	}
	return c
}

func (sc *scratch) source(i int) messages.Source {
	return messages.Source{ID: sc.blocks[i].passage, Title: sc.blocks[i].title}
}
