package lang

import "unicode"

// latin folds U+00C0 to U+017F to their base letters; "" keeps the rune.
var latin = func() (t [0x180 - 0xC0]string) {
	for _, g := range []struct{ to, from string }{
		{"a", "ÀÁÂÃÄÅàáâãäåĀāĂăĄą"}, {"ae", "Ææ"}, {"c", "ÇçĆćĈĉĊċČč"}, {"d", "ĎďĐđÐð"},
		{"e", "ÈÉÊËèéêëĒēĔĕĖėĘęĚě"}, {"g", "ĜĝĞğĠġĢģ"}, {"h", "ĤĥĦħ"},
		{"i", "ÌÍÎÏìíîïĨĩĪīĬĭĮįİı"}, {"j", "Ĵĵ"}, {"k", "Ķķ"}, {"l", "ĹĺĻļĽľĿŀŁł"},
		{"n", "ÑñŃńŅņŇň"}, {"o", "ÒÓÔÕÖØòóôõöøŌōŎŏŐő"}, {"oe", "Œœ"}, {"r", "ŔŕŖŗŘř"},
		{"s", "ŚśŜŝŞşŠš"}, {"ss", "ß"}, {"t", "ŢţŤťŦŧ"}, {"th", "Þþ"},
		{"u", "ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲų"}, {"w", "Ŵŵ"}, {"y", "ÝýÿŶŷŸ"}, {"z", "ŹźŻżŽž"},
	} {
		for _, r := range g.from {
			t[r-0xC0] = g.to
		}
	}
	return t
}()

// appendFold appends r in lower case without diacritics.
func appendFold(b []byte, r rune) []byte {
	switch {
	case r >= 0xC0 && r < 0x180:
		if f := latin[r-0xC0]; f != "" {
			return append(b, f...)
		}
	case r >= 0x300 && r < 0x370: // combining marks
		return b
	case r >= 0xFF01 && r <= 0xFF5E: // ASCII at full width
		return append(b, string(unicode.ToLower(r-0xFEE0))...)
	case r == 0x2019:
		return append(b, '\'')
	}
	return append(b, string(unicode.ToLower(r))...)
}

// Norm returns s in lower case without diacritics.
func Norm(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c >= 'A' && c <= 'Z' {
			b := make([]byte, 0, len(s))
			for _, r := range s {
				if r < 0x80 {
					if r >= 'A' && r <= 'Z' {
						r += 'a' - 'A'
					}
					b = append(b, byte(r))
				} else {
					b = appendFold(b, r)
				}
			}
			return string(b)
		}
	}
	return s
}
