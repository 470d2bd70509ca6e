package lang

// Month returns 1 to 12 for a month's normal form, else 0.
func Month(norm string) int {
	switch norm {
	case "january", "jan":
		return 1
	case "february", "feb":
		return 2
	case "march":
		return 3
	case "april", "apr":
		return 4
	case "may":
		return 5
	case "june", "jun":
		return 6
	case "july", "jul":
		return 7
	case "august", "aug":
		return 8
	case "september", "sept", "sep":
		return 9
	case "october", "oct":
		return 10
	case "november", "nov":
		return 11
	case "december", "dec":
		return 12
	}
	return 0
}

// Ordinals reports whether a normal form is an ordinal word.
func Ordinals(norm string) bool {
	switch norm {
	case "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
		"eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
		"eighteenth", "nineteenth", "twentieth":
		return true
	}
	return false
}

// numberWord returns the value of a number word or ordinal word.
func numberWord(norm string) (float64, bool) {
	if len(norm) < 3 || len(norm) > 11 {
		return 0, false
	}
	switch norm {
	case "zero":
		return 0, true
	case "one", "first":
		return 1, true
	case "two", "second":
		return 2, true
	case "three", "third":
		return 3, true
	case "four", "fourth":
		return 4, true
	case "five", "fifth":
		return 5, true
	case "six", "sixth":
		return 6, true
	case "seven", "seventh":
		return 7, true
	case "eight", "eighth":
		return 8, true
	case "nine", "ninth":
		return 9, true
	case "ten", "tenth":
		return 10, true
	case "eleven", "eleventh":
		return 11, true
	case "twelve", "twelfth", "dozen":
		return 12, true
	case "thirteen", "thirteenth":
		return 13, true
	case "fourteen", "fourteenth":
		return 14, true
	case "fifteen", "fifteenth":
		return 15, true
	case "sixteen", "sixteenth":
		return 16, true
	case "seventeen", "seventeenth":
		return 17, true
	case "eighteen", "eighteenth":
		return 18, true
	case "nineteen", "nineteenth":
		return 19, true
	case "twenty", "twentieth":
		return 20, true
	case "thirty":
		return 30, true
	case "forty":
		return 40, true
	case "fifty":
		return 50, true
	case "sixty":
		return 60, true
	case "seventy":
		return 70, true
	case "eighty":
		return 80, true
	case "ninety":
		return 90, true
	case "hundred", "hundreds":
		return 100, true
	case "thousand", "thousands":
		return 1e3, true
	case "million", "millions":
		return 1e6, true
	case "billion", "billions":
		return 1e9, true
	}
	return 0, false
}

func scale(norm string) bool { return scaleOf(norm) != 1 }

func scaleOf(norm string) float64 {
	switch norm {
	case "hundred":
		return 100
	case "thousand":
		return 1e3
	case "million":
		return 1e6
	case "billion":
		return 1e9
	case "trillion":
		return 1e12
	}
	return 1
}

// unit returns the kind of quantity a unit word makes, or Plain.
func unit(norm string) Kind {
	switch norm {
	case "percent", "percentage", "cent":
		return Percent
	case "dollar", "dollars", "euro", "euros", "pounds", "yen", "rupees", "cents", "francs", "marks", "£", "€", "usd":
		return Money
	case "year", "years", "month", "months", "week", "weeks", "day", "days", "hour", "hours", "minute", "minutes",
		"second", "seconds", "decade", "decades", "centuries", "millennia":
		return Duration
	case "km", "m", "cm", "mm", "mi", "ft", "kg", "g", "lb", "lbs", "ha", "mph", "kilometres", "kilometers", "kilometre", "kilometer",
		"metres", "meters", "metre", "meter", "miles", "mile", "feet", "foot", "inches", "inch", "acres", "acre", "hectares",
		"tons", "tonnes", "kilograms", "grams", "litres", "liters", "gallons", "degrees", "°", "°c", "°f", "km2", "mi2", "watts", "mw",
		"yards", "yard", "centimetres", "centimeters", "millimetres", "hz", "mhz", "ghz", "volts", "knots":
		return Measure
	}
	return Plain
}

// unitScale makes lengths, weights and durations of one family comparable.
func unitScale(norm string) float64 {
	switch norm {
	case "km", "kilometres", "kilometers", "kilometre", "kilometer":
		return 1000
	case "miles", "mile", "mi":
		return 1609
	case "feet", "foot", "ft":
		return 0.3048
	case "yards", "yard":
		return 0.9144
	case "cm", "centimetres", "centimeters":
		return 0.01
	case "mm", "millimetres":
		return 0.001
	case "inches", "inch":
		return 0.0254
	case "month", "months":
		return 1.0 / 12
	case "week", "weeks":
		return 1.0 / 52
	case "day", "days":
		return 1.0 / 365
	case "hour", "hours":
		return 1.0 / 8766
	case "minute", "minutes":
		return 1.0 / 525960
	case "second", "seconds":
		return 1.0 / 31557600
	case "decade", "decades":
		return 10
	case "centuries":
		return 100
	}
	return 1
}
