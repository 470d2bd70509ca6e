package calculate

import (
	"math/big"
	"strings"
)

// A dimension is what a unit measures.
type dimension uint8

const (
	dimLength dimension = iota + 1
	dimMass
	dimSpan
	dimData
	dimHeat
	dimVolume
)

// unit is a multiple of its dimension's base unit; temperatures also have an
// offset from absolute zero in their own degrees.
type unit struct {
	of     dimension
	factor *big.Rat
	offset *big.Rat
}

// unitRows are dimension, factor to the base unit, and the unit's names.
var unitRows = []struct {
	of     dimension
	factor string
	names  string
}{
	{dimLength, "1", "m meter metre"}, {dimLength, "1000", "km kilometer kilometre"}, {dimLength, "1/100", "cm centimeter centimetre"},
	{dimLength, "1/1000", "mm millimeter millimetre"}, {dimLength, "0.0254", "inch inches"}, {dimLength, "0.3048", "foot feet ft"},
	{dimLength, "0.9144", "yard yd"}, {dimLength, "1609.344", "mile mi"}, {dimLength, "1852", "nautical-mile"},
	{dimMass, "1000", "kg kilogram kilo kilogramme"}, {dimMass, "1", "g gram gramme"}, {dimMass, "1/1000", "mg milligram"},
	{dimMass, "1000000", "tonne"}, {dimMass, "453.59237", "pound lb lbs"}, {dimMass, "28.349523125", "ounce oz"}, {dimMass, "6350.29318", "stone"},
	{dimSpan, "1", "second sec"}, {dimSpan, "60", "minute min"}, {dimSpan, "3600", "hour hr"}, {dimSpan, "86400", "day"},
	{dimSpan, "604800", "week"}, {dimSpan, "1209600", "fortnight"}, {dimSpan, "31536000", "year"}, {dimSpan, "315360000", "decade"},
	{dimSpan, "3153600000", "century centuries"}, {dimSpan, "1/1000", "millisecond ms"}, {dimSpan, "1/1000000", "microsecond"},
	{dimData, "1/8", "bit"}, {dimData, "1", "byte"}, {dimData, "1000", "kb kilobyte"}, {dimData, "1000000", "mb megabyte"},
	{dimData, "1000000000", "gb gigabyte"}, {dimData, "1000000000000", "tb terabyte"}, {dimData, "1024", "kib kibibyte"},
	{dimData, "1048576", "mib mebibyte"}, {dimData, "1073741824", "gib gibibyte"},
	{dimHeat, "1", "kelvin k"}, {dimHeat, "1", "celsius c centigrade"}, {dimHeat, "5/9", "fahrenheit f"},
	{dimVolume, "1", "liter litre l"}, {dimVolume, "1/1000", "milliliter millilitre ml"},
}

var units = func() map[string]unit {
	m := make(map[string]unit, 160)
	for _, row := range unitRows {
		f, _ := new(big.Rat).SetString(row.factor)
		for _, n := range strings.Fields(row.names) {
			u := unit{of: row.of, factor: f, offset: new(big.Rat)}
			switch n {
			case "celsius", "c", "centigrade":
				u.offset.SetString("273.15")
			case "fahrenheit", "f":
				u.offset.SetString("459.67")
			}
			m[n] = u
			if len(n) > 3 || n == "bit" || n == "day" {
				m[n+"s"] = u
			}
		}
	}
	return m
}()

func unitOf(w string) (unit, bool) { u, ok := units[w]; return u, ok }

// convert answers "how many A are in n B", "n B in A" and "convert n B to A".
func convert(ws []computeWord) string {
	text := func(i int) string {
		if i < len(ws) {
			return ws[i].text
		}
		return ""
	}
	clean := ws[:0:0]
	for i := range ws {
		if t := ws[i].text; t != "degrees" && t != "degree" {
			clean = append(clean, ws[i])
		}
	}
	ws = clean
	if text(0) == "how" && text(1) == "many" {
		to, ok := unitOf(text(2))
		if !ok {
			return ""
		}
		i := 3
		for text(i) == "are" || text(i) == "is" || text(i) == "there" || text(i) == "do" || text(i) == "does" || text(i) == "equal" || text(i) == "make" || text(i) == "in" || text(i) == "up" {
			i++
		}
		n, end := quantity(ws, i)
		if n == nil {
			return ""
		}
		leap := text(end) == "leap"
		if leap {
			end++
		}
		from, ok := unitOf(text(end))
		rest := end + 1
		for text(rest) == "have" || text(rest) == "has" || text(rest) == "contain" || text(rest) == "equal" || text(rest) == "there" || text(rest) == "are" {
			rest++
		}
		if !ok || rest != len(ws) || leap && (from.of != dimSpan || text(end) != "year") {
			return ""
		}
		if leap {
			from.factor = big.NewRat(366*86400, 1)
		}
		if from.factor.Cmp(units["year"].factor) == 0 && to.factor.Cmp(units["week"].factor) == 0 {
			return ""
		}
		return converted(n, from, to, text(2))
	}
	ws = dropOpening(ws)
	if text(0) == "convert" || text(0) == "change" {
		ws = ws[1:]
	}
	neg := text(0) == "-" || text(0) == "minus"
	if neg {
		ws = ws[1:]
	}
	n, end := quantity(ws, 0)
	if n == nil {
		return ""
	}
	if neg {
		n.Neg(n)
	}
	from, ok := unitOf(text(end))
	if !ok || text(end+1) != "in" && text(end+1) != "to" && text(end+1) != "into" && text(end+1) != "as" || end+3 != len(ws) {
		return ""
	}
	to, ok := unitOf(text(end + 2))
	if !ok || neg && from.of != dimHeat {
		return ""
	}
	return converted(n, from, to, text(end+2))
}

// quantity reads a number, or an article for one.
func quantity(ws []computeWord, i int) (*big.Rat, int) {
	if n, end, ok := readNumber(ws, i); ok {
		return n, end
	}
	if i < len(ws) && (ws[i].text == "a" || ws[i].text == "an") {
		return big.NewRat(1, 1), i + 1
	}
	return nil, i
}

func converted(n *big.Rat, from, to unit, name string) string {
	if from.of != to.of {
		return ""
	}
	r := new(big.Rat).Add(n, from.offset)
	r.Mul(r, from.factor)
	r.Quo(r, to.factor)
	r.Sub(r, to.offset)
	if from.of == dimHeat {
		switch name[0] {
		case 'f':
			return formatNumber(r) + " °F"
		case 'c':
			return formatNumber(r) + " °C"
		}
		return formatNumber(r) + " K"
	}
	return formatNumber(r) + " " + name
}
