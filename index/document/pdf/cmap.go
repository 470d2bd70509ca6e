package pdf

import (
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// maxMapped is the most codes that a font maps.
const maxMapped = 200_000

// cmap says which text the codes of a font stand for.
type cmap struct {
	text map[string]string // by code
	long int               // bytes of the longest code
}

var (
	cmapBlock = regexp.MustCompile(`(?s)begin(bfchar|bfrange|codespacerange)(.*?)end(?:bfchar|bfrange|codespacerange)`)
	cmapToken = regexp.MustCompile(`<[0-9A-Fa-f\s]*>|\[|\]`)
)

// parseCmap reads a table of the kind ToUnicode.
func parseCmap(src string) *cmap {
	c := &cmap{text: map[string]string{}, long: 1}
	for _, block := range cmapBlock.FindAllStringSubmatch(src, -1) {
		tokens := cmapToken.FindAllString(block[2], maxMapped)
		switch block[1] {
		case "bfchar":
			for i := 0; i+1 < len(tokens); i += 2 {
				c.set(unhex(tokens[i]), utf16Text(unhex(tokens[i+1])))
			}
		case "bfrange":
			c.ranges(tokens)
		case "codespacerange":
			for _, t := range tokens {
				c.long = max(c.long, min(len(unhex(t)), 4))
			}
		}
	}
	return c
}

func (c *cmap) set(code, text string) {
	if code != "" && len(c.text) < maxMapped {
		c.text[code] = text
		c.long = max(c.long, min(len(code), 4))
	}
}

// ranges reads from, to and either the text of the first or a list of texts.
func (c *cmap) ranges(tokens []string) {
	for i := 0; i+2 < len(tokens); i += 3 {
		from, to := unhex(tokens[i]), unhex(tokens[i+1])
		low, _ := strconv.ParseUint(hex.EncodeToString([]byte(from)), 16, 32)
		high, _ := strconv.ParseUint(hex.EncodeToString([]byte(to)), 16, 32)
		if tokens[i+2] == "[" {
			j := i + 3
			for ; j < len(tokens) && tokens[j] != "]"; j++ {
				c.set(code(low+uint64(j-i-3), len(from)), utf16Text(unhex(tokens[j])))
			}
			i = j - 2
			continue
		}
		text := []rune(utf16Text(unhex(tokens[i+2])))
		if len(text) == 0 {
			continue
		}
		last := text[len(text)-1]
		for n := low; n <= high && n-low < 1<<16; n++ {
			text[len(text)-1] = last + rune(n-low)
			c.set(code(n, len(from)), string(text))
		}
	}
}

func code(n uint64, length int) string {
	b := make([]byte, length)
	for i := length - 1; i >= 0; i-- {
		b[i] = byte(n)
		n >>= 8
	}
	return string(b)
}

func unhex(s string) string {
	s = strings.Join(strings.Fields(strings.Trim(s, "<>")), "")
	if len(s)%2 == 1 {
		s += "0"
	}
	b, _ := hex.DecodeString(s)
	return string(b)
}

func utf16Text(s string) string {
	if len(s) == 1 {
		return s
	}
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return string(utf16.Decode(units))
}
