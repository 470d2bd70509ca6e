package draft

import (
	"strings"
	"time"
)

// layouts are the ways in which documents write dates.
var layouts = []string{
	time.RFC1123Z, time.RFC1123, time.RFC850, "2 Jan 2006", "2 January 2006", "Jan 2, 2006", "January 2, 2006", "January 2 2006",
	"2006/01/02", "02.01.2006", "January 2006", "Jan 2006", "20060102", "Mon Jan 2 15:04:05 2006", "Mon Jan 2 15:04:05 MST 2006",
}

// Date returns a date as year, month and day, as far as it is understood; what
// is not is returned as it is, and what has no digit is empty.
func Date(s string) string {
	s = strings.Trim(strings.TrimPrefix(oneLine(s), "$Mdocdate:"), `"' $`)
	if !strings.ContainsAny(s, "0123456789") || len(s) > 60 {
		return ""
	}
	if len(s) >= 10 {
		if _, err := time.Parse(time.DateOnly, s[:10]); err == nil {
			return s[:10]
		}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			if layout == "January 2006" || layout == "Jan 2006" {
				return t.Format("2006-01")
			}
			return t.Format(time.DateOnly)
		}
	}
	return s
}
