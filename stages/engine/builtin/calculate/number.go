package calculate

import (
	"math/big"
	"strings"
)

// numberWords are the numbers written in words, and what they multiply.
var numberWords = map[string]int64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
	"eighty": 80, "ninety": 90, "hundred": 100, "dozen": 12, "thousand": 1_000, "million": 1_000_000,
	"billion": 1_000_000_000, "trillion": 1_000_000_000_000,
}

// maxBits bounds every intermediate result.
const maxBits = 4096

// readNumber reads the number that starts at word i, in digits ("1,250.5",
// "3 million") or in words ("two hundred and five"), and returns where it ends.
func readNumber(ws []computeWord, i int) (*big.Rat, int, bool) {
	if i >= len(ws) {
		return nil, i, false
	}
	if ws[i].number {
		r, ok := parseDigits(ws[i].text)
		if !ok {
			return nil, i, false
		}
		i++
		for i < len(ws) && scaleWord(ws[i].text) {
			r.Mul(r, new(big.Rat).SetInt64(numberWords[ws[i].text]))
			if i++; r.Num().BitLen() > maxBits {
				return nil, i, false
			}
		}
		return r, i, true
	}
	var total, part int64
	seen := false
	last := int64(1) << 62 // the last scale, which must fall: "two thousand five million" is none
	j := i
	for j < len(ws) && j < i+24 {
		v, ok := numberWords[ws[j].text]
		switch {
		case !ok && seen && (ws[j].text == "and" || ws[j].text == "-") && j+1 < len(ws) && numeral(ws[j+1].text) &&
			(ws[j].text == "-" && !ws[j].space || part >= 100 || part == 0):
			j++
			continue
		case !ok && !seen && (ws[j].text == "a" || ws[j].text == "an") && j+1 < len(ws) && scaleWord(ws[j+1].text):
			part, seen = 1, true
			j++
			continue
		case !ok:
		case v >= 1000:
			if part == 0 {
				part = 1
			}
			if v >= last {
				return nil, i, false
			}
			last = v
			total += part * v
			part, seen = 0, true
			j++
			continue
		case v == 100 || v == 12 && ws[j].text == "dozen":
			part, seen = max(part, 1)*v, true
			j++
			continue
		case !seen || part == 0 || part%100 == 0 || part%10 == 0 && v < 10 && part%100 >= 20:
			if seen && v == 0 {
				return nil, i, false
			}
			part += v
			seen = true
			j++
			continue
		}
		break
	}
	if !seen {
		return nil, i, false
	}
	return new(big.Rat).SetInt64(total + part), j, true
}

func scaleWord(s string) bool {
	switch s {
	case "hundred", "thousand", "million", "billion", "trillion", "dozen":
		return true
	}
	return false
}

func numeral(s string) bool { v, ok := numberWords[s]; return ok && v < 100 }

// parseDigits reads digits with a fraction and with commas between groups of
// three; other commas are no number.
func parseDigits(s string) (*big.Rat, bool) {
	if len(s) > 200 || strings.Count(s, ".") > 1 {
		return nil, false
	}
	whole, _, _ := strings.Cut(s, ".")
	if groups := strings.Split(whole, ","); len(groups) > 1 {
		for i, g := range groups {
			if i > 0 && len(g) != 3 || i == 0 && (len(g) == 0 || len(g) > 3) {
				return nil, false
			}
		}
	}
	if dot := strings.IndexByte(s, '.'); dot >= 0 && strings.Contains(s[dot:], ",") {
		return nil, false
	}
	return new(big.Rat).SetString(strings.ReplaceAll(s, ",", ""))
}

// formatNumber writes r: exactly where it is a decimal of at most twelve
// places, else rounded to ten.
func formatNumber(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	places := 10
	if n, exact := r.FloatPrec(); exact && n <= 12 {
		places = n
	}
	// Small numbers keep ten significant digits.
	if abs := new(big.Rat).Abs(r); places == 10 && abs.Cmp(big.NewRat(1, 10)) < 0 {
		if extra := r.Denom().BitLen() - r.Num().BitLen(); extra > 0 {
			places += min(extra*3/10, 60)
		}
	}
	s := strings.TrimRight(r.FloatString(places), "0")
	return strings.TrimSuffix(s, ".")
}
