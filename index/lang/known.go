package lang

import "strings"

// known is an entry of the built-in word list: a structure word, an irregular
// form or an everyday word, with the stem and its hash ready.
type known struct {
	norm, stem string
	hash       uint64 // of stem
	stop       bool
}

// longestKnown is the longest word the list holds, in bytes.
const longestKnown = 16

// unitedStates is what US stands for; only its capitals tell it from "us".
var unitedStates = &known{norm: "u.s", stem: "u.s", hash: Hash("u.s")}

// knownTable finds a known word by its first eight bytes, packed into a number
// with the first byte lowest. Two words of the same length never share those
// bytes (see add), so a key and a length name at most one word.
type knownTable struct {
	keys  [1 << knownBits]uint64 // 0 is free
	at    [1 << knownBits]uint16
	words []known
}

const knownBits = 13

// slot is where the search for a key begins.
func slot(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> (64 - knownBits) }

// find returns the word of n bytes whose first eight bytes are key, or nil.
// The caller compares the bytes from the ninth on.
func (t *knownTable) find(key uint64, n int) *known {
	for i := slot(key); ; i = (i + 1) % (1 << knownBits) {
		switch t.keys[i] {
		case 0:
			return nil
		case key:
			if e := &t.words[t.at[i]]; len(e.norm) == n {
				return e
			}
		}
	}
}

// add adds a word, unless it is too long or a word of the same length and with
// the same first eight bytes is already there.
func (t *knownTable) add(e known) {
	key := keyOf(e.norm)
	if len(e.norm) > longestKnown || t.find(key, len(e.norm)) != nil {
		return
	}
	i := slot(key)
	for t.keys[i] != 0 {
		i = (i + 1) % (1 << knownBits)
	}
	e.hash = Hash(e.stem)
	t.keys[i], t.at[i] = key, uint16(len(t.words))
	t.words = append(t.words, e)
}

func keyOf[T string | []byte](norm T) (key uint64) {
	for i := range min(len(norm), 8) {
		key |= uint64(norm[i]) << (8 * i)
	}
	return key
}

// lookUp returns the entry of a normal form, or nil.
func lookUp[T string | []byte](norm T) *known {
	if len(norm) == 0 || len(norm) > longestKnown {
		return nil
	}
	if e := knownWords.find(keyOf(norm), len(norm)); e != nil && (len(norm) <= 8 || e.norm == string(norm)) {
		return e
	}
	return nil
}

var knownWords = func() *knownTable {
	t := new(knownTable)
	for _, w := range strings.Fields(stopWords + " " + stopCharacters) {
		t.add(known{norm: w, stem: w, stop: true})
	}
	for _, row := range strings.Split(irregularForms, "|") {
		base, forms, _ := strings.Cut(row, ":")
		stem := regular(strings.TrimSpace(base))
		for _, w := range strings.Fields(forms) {
			t.add(known{norm: w, stem: stem})
		}
	}
	for _, w := range strings.Fields(commonWords) {
		t.add(known{norm: w, stem: regular(w)})
	}
	return t
}()

// regular returns the stem of a word that the list does not hold.
func regular(norm string) string {
	var room [maxStem]byte
	b := append(room[:0], norm...)
	n, same := stemInPlace(b)
	if same {
		return norm[:n]
	}
	return string(b[:n])
}

// irregularForms lists irregular forms, and words about the same fact, behind
// the base whose stem they get. The base of founders and founding is what
// Porter's algorithm makes of foundation.
const irregularForms = `write: wrote written writer writes writing | win: won winner winning | die: died death dead dies dying deceased |
	born: born birth birthplace birthday birthdate | sing: sang sung singer sings | lead: led leader leading |
	foundat: founder founders founded founding | act: actor actress acted acting actors actresses |
	begin: began begun | make: made maker | build: built builder | hold: held | sell: sold sale sales | buy: bought |
	fight: fought | teach: taught teacher | lose: lost | speak: spoke spoken | choose: chose chosen choice |
	fly: flew flown | grow: grew grown growth | know: knew known | draw: drew drawn | take: took taken |
	give: gave given | come: came | go: went gone | run: ran runner | become: became | leave: left | meet: met |
	pay: paid payment | say: said | tell: told | send: sent | spend: spent | find: found | think: thought |
	bring: brought | play: played player players | marry: married marriage marries | child: children | man: men |
	woman: women | foot: feet | city: cities | country: countries | locate: located location |
	release: released releases releasing | own: owner`
