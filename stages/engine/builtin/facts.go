package builtin

import (
	"strings"

	"hopstream/index/lang"
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
