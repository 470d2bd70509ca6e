package builtin

import "hopstream/index/lang"

// look measures what a name looks like: a person, a place, an organisation,
// or the very class of thing the question's head noun names.
func look(sc *scratch, q *query, c *cand, f *[features]float32) {
	toks := sc.toks
	from, to := c.from, c.to
	if from < 0 {
		at := len(sc.toks)
		sc.toks = lang.AppendTokens(sc.toks, c.text)
		toks, from, to = sc.toks, at, len(sc.toks)
		defer func() { sc.toks = sc.toks[:at] }()
		if to == from {
			return
		}
	}
	first, last := &toks[from], &toks[to-1]
	var tmp [64]byte
	whole := tmp[:0]
	common := true
	for i := from; i < to; i++ {
		if len(whole)+len(toks[i].Norm) < len(tmp) {
			if i > from {
				whole = append(whole, ' ')
			}
			whole = append(whole, toks[i].Norm...)
		}
		common = common && (toks[i].Stop || lang.IsCommon(toks[i].Stem))
	}
	if common {
		f[fCommonW] = 1
	}
	all := lang.ClassOf(string(whole))
	start, end := all, all
	if to-from > 1 || len(whole) == 0 {
		start, end = lang.ClassOf(first.Norm), lang.ClassOf(last.Norm)
	}
	if all == 0 && first.Norm == "the" && len(whole) > 4 {
		all = lang.ClassOf(string(whole[4:]))
	}
	switch {
	case all&(lang.Country|lang.State|lang.City|lang.Continent) != 0 || end&lang.PlaceSuffix != 0 && to-from > 1:
		f[fPlace] = 1
	case start&lang.PlaceSuffix != 0 && to-from > 1 && (first.Norm == "lake" || first.Norm == "mount" || first.Norm == "river" || first.Norm == "cape"):
		f[fPlace] = 1
	case c.kind == candPair && q.group == groupPlace:
		f[fPlace] = 1
	}
	if end&lang.OrgSuffix != 0 && to-from > 1 || start&lang.OrgSuffix != 0 && to-from > 1 {
		f[fOrg] = 1
	}
	if all&lang.Demonym != 0 {
		f[fDemonym] = 1
	}
	if f[fPlace] == 0 && f[fOrg] == 0 && f[fDemonym] == 0 && first.Cap {
		switch {
		case start&(lang.GivenName|lang.PersonTitle) != 0:
			f[fPerson] = 1
		case to-from == 2 && last.Cap && !lang.IsCommon(last.Stem) && c.kind != candQuoted:
			f[fPerson] = 0.6
		case to-from == 3 && last.Cap && len(toks[from+1].Text) <= 3 && c.kind != candQuoted:
			f[fPerson] = 0.7
		}
		if c.from > 0 && lang.ClassOf(toks[c.from-1].Norm)&(lang.PersonTitle|lang.Occupation) != 0 {
			f[fPerson] = max(f[fPerson], 0.8)
		}
	}
	if q.List != 0 {
		fit(f, all&q.List != 0, all&q.List == 0)
		return
	}
	switch q.group {
	case groupPerson:
		fit(f, f[fPerson] > 0, f[fPlace]+f[fOrg]+f[fDemonym] > 0)
	case groupPlace:
		fit(f, placeFits(q.Head, all, end), f[fPerson] >= 0.8 || f[fDemonym] > 0)
	case groupThing:
		switch q.Type {
		case lang.WorkType:
			fit(f, c.kind == candQuoted, f[fPlace] > 0)
		case lang.OrgType:
			fit(f, f[fOrg] > 0, f[fPlace] > 0)
		}
	}
}

// placeFits reports whether a place is of the kind the head noun asks for.
func placeFits(head string, all, end lang.Class) bool {
	switch head {
	case "city", "town", "village", "capital", "birthplace", "hometown", "cities":
		return all&lang.City != 0
	case "country", "nation", "countries":
		return all&lang.Country != 0
	case "state", "states", "region", "province":
		return all&lang.State != 0
	case "":
		return all&(lang.Country|lang.State|lang.City) != 0
	}
	return end&lang.PlaceSuffix != 0 || all&(lang.Country|lang.State|lang.City) != 0
}

// shape measures what the candidate is by itself.
func shape(sc *scratch, q *query, c *cand, f *[features]float32) {
	switch c.kind {
	case candName:
		f[fName] = 1
	case candQuoted:
		f[fQuoted] = 1
	case candTitle:
		f[fTitled] = 1
	case candRun:
		f[fRun] = 1
	case candDate:
		f[fDate] = 1
	case candYear:
		f[fYear] = 1
	case candNumber:
		f[fNumber] = 1
	case candOrdinal:
		f[fOrdinal] = 1
	case candPair:
		f[fPair] = 1
		if q.plural && q.group != groupPlace {
			f[fPlural] = 1
		}
	case candPhrase:
		f[fPhrase] = 1
	case candList:
		f[fList] = 1
		if q.plural {
			f[fPlural] = 1
		}
	case candMoney, candPercent, candDuration, candMeasure:
		f[fUnit] = 1
	}
	switch q.Type {
	case lang.MoneyType:
		fit(f, c.kind == candMoney, c.kind == candPercent || c.kind == candDuration || c.kind == candMeasure)
	case lang.PercentType:
		fit(f, c.kind == candPercent, c.kind == candMoney || c.kind == candDuration || c.kind == candMeasure)
	case lang.DurationType:
		fit(f, c.kind == candDuration, c.kind == candMoney || c.kind == candPercent || c.kind == candMeasure)
	case lang.NumberType:
		fit(f, c.kind == candNumber, c.kind == candMoney || c.kind == candPercent)
	case lang.DateType:
		fit(f, c.kind == candDate, false)
	case lang.YearType:
		fit(f, c.kind == candYear, c.kind == candDate)
	}
	if q.group == groupDate || q.group == groupNumber {
		return
	}
	look(sc, q, c, f)
}

func fit(f *[features]float32, yes, no bool) {
	if yes {
		f[fFit] = 1
	}
	if no {
		f[fMisfit] = 1
	}
}
