package calculate

import (
	"strconv"
	"strings"
	"time"

	"hopstream/index/lang"
)

// firstYear is the first full year of the Gregorian calendar. Earlier dates
// depend on the country, so nothing is said about them.
const firstYear = 1583

// calendar answers questions about dates that are given in full: never
// relative to today.
func calendar(ws []computeWord) string {
	var b strings.Builder
	for i := range ws {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ws[i].text)
	}
	q := " " + b.String() + " "
	has := func(s string) bool { return strings.Contains(q, " "+s+" ") }
	switch {
	case has("leap year") && (strings.HasPrefix(q, " is ") || strings.HasPrefix(q, " was ") || strings.HasPrefix(q, " will ")):
		return leapYear(ws)
	case has("how many days") && (has("between") || has("from")):
		dates, rest := readDates(ws)
		if len(dates) != 2 || !onlyWords(rest, "how", "many", "days", "are", "there", "is", "it", "between", "from", "and", "to", "until", "till", "the") {
			return ""
		}
		n := int(dates[1].Sub(dates[0]).Hours() / 24)
		return daysText(max(n, -n))
	case has("how many days") && has("in"):
		return monthDays(ws)
	case has("day of the week") || has("weekday") || has("what day") || has("which day"):
		dates, rest := readDates(ws)
		if len(dates) != 1 || !onlyWords(rest, "what", "which", "day", "of", "the", "week", "weekday", "was", "is", "on", "did", "does", "will", "be", "fall", "in", "it", "a") {
			return ""
		}
		return dates[0].Weekday().String()
	case (has("days after") || has("days before")) && (has("what") || has("which")):
		dates, rest := readDates(ws)
		if len(dates) != 1 {
			return ""
		}
		n, i, ok := 0, 0, false
		for i = range rest {
			if r, end, is := readNumber(rest, i); is && r.IsInt() && r.Num().IsInt64() && r.Num().Int64() < 1_000_000 {
				n, ok = int(r.Num().Int64()), true
				rest = append(append([]computeWord(nil), rest[:i]...), rest[end:]...)
				break
			}
		}
		if !ok || !onlyWords(rest, "what", "which", "date", "day", "is", "was", "the", "days", "after", "before", "it") {
			return ""
		}
		if has("days before") {
			n = -n
		}
		if d := dates[0].AddDate(0, 0, n); d.Year() >= firstYear {
			return d.Format("2 January 2006")
		}
	}
	return ""
}

func daysText(n int) string {
	if n == 1 {
		return "1 day"
	}
	return strconv.Itoa(n) + " days"
}

func onlyWords(ws []computeWord, allowed ...string) bool {
outer:
	for i := range ws {
		for _, a := range allowed {
			if ws[i].text == a {
				continue outer
			}
		}
		return false
	}
	return true
}

func leapYear(ws []computeWord) string {
	for i := range ws {
		if y := yearOf(&ws[i]); y > 0 {
			rest := append(append([]computeWord(nil), ws[:i]...), ws[i+1:]...)
			if !onlyWords(rest, "is", "was", "will", "be", "the", "year", "a", "leap") {
				return ""
			}
			if isLeap(y) {
				return "yes"
			}
			return "no"
		}
	}
	return ""
}

func isLeap(y int) bool { return y%4 == 0 && (y%100 != 0 || y%400 == 0) }

// yearOf returns a four-digit year of the Gregorian calendar, else 0.
func yearOf(w *computeWord) int {
	if w.number && len(w.text) == 4 {
		if y, err := strconv.Atoi(w.text); err == nil && y >= firstYear {
			return y
		}
	}
	return 0
}

// monthDays answers how many days a month has; February needs its year.
func monthDays(ws []computeWord) string {
	month, year := 0, 0
	var rest []computeWord
	for i := range ws {
		if m := lang.Month(ws[i].text); m > 0 && month == 0 {
			month = m
		} else if y := yearOf(&ws[i]); y > 0 && year == 0 {
			year = y
		} else {
			rest = append(rest, ws[i])
		}
	}
	if month == 0 && year == 0 || !onlyWords(rest, "how", "many", "days", "are", "there", "is", "in", "the", "month", "year", "of", "does", "have", "did", "were") {
		return ""
	}
	switch {
	case month == 0 && isLeap(year):
		return daysText(366)
	case month == 0:
		return daysText(365)
	case month == 2 && year == 0:
		return ""
	}
	return daysText(time.Date(max(year, 2001), time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day())
}

// readDates takes the complete dates out of ws, at most three.
func readDates(ws []computeWord) (dates []time.Time, rest []computeWord) {
	for i := 0; i < len(ws); {
		d, end := dateAt(ws, i)
		if end == i || len(dates) == 3 {
			rest = append(rest, ws[i])
			i++
			continue
		}
		dates = append(dates, d)
		i = end
	}
	return dates, rest
}

// dateAt reads 2024-02-29, 29 February 2024, 29th of February, 2024 and
// February 29, 2024.
func dateAt(ws []computeWord, i int) (time.Time, int) {
	num := func(k, most int) int {
		if k < len(ws) && ws[k].number && len(ws[k].text) <= 2 {
			if n, err := strconv.Atoi(ws[k].text); err == nil && n >= 1 && n <= most {
				return n
			}
		}
		return 0
	}
	is := func(k int, texts ...string) bool {
		for _, t := range texts {
			if k < len(ws) && ws[k].text == t {
				return true
			}
		}
		return false
	}
	year := func(k int) int {
		if k < len(ws) {
			return yearOf(&ws[k])
		}
		return 0
	}
	valid := func(y, m, d, end int) (time.Time, int) {
		t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		if y == 0 || m == 0 || d == 0 || t.Day() != d {
			return time.Time{}, i
		}
		return t, end
	}
	if y := year(i); y > 0 && is(i+1, "-") && is(i+3, "-") {
		return valid(y, num(i+2, 12), num(i+4, 31), i+5)
	}
	ordinal := func(k int) int {
		if is(k, "st", "nd", "rd", "th") && !ws[k].space {
			return k + 1
		}
		return k
	}
	if d := num(i, 31); d > 0 {
		k := ordinal(i + 1)
		if is(k, "of") {
			k++
		}
		if k < len(ws) {
			if m := lang.Month(ws[k].text); m > 0 {
				if k++; is(k, ",") {
					k++
				}
				return valid(year(k), m, d, k+1)
			}
		}
		return time.Time{}, i
	}
	if m := lang.Month(ws[i].text); m > 0 {
		d := num(i+1, 31)
		k := ordinal(i + 2)
		if is(k, ",") {
			k++
		}
		return valid(year(k), m, d, k+1)
	}
	return time.Time{}, i
}
