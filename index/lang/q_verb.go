package lang

import "strings"

// VerbForm says which forms of a verb a word can be. A word may be several
// ("cut"), and may be a noun as well ("play"): the caller looks at what
// stands around it.
type VerbForm uint8

// The forms.
const (
	VerbBase       VerbForm = 1 << iota // play
	VerbThird                           // plays
	VerbPast                            // played
	VerbParticiple                      // played, written
	VerbIng                             // playing
)

// Verb returns the base of a normal form and which forms of it the word can
// be; 0 when it is no verb this package knows. Auxiliaries are not verbs here.
// Regular past forms of unknown verbs are recognised by their ending, and
// then have no base.
func Verb(norm string) (base string, form VerbForm) {
	if v, ok := verbs[norm]; ok {
		return v.base, v.form
	}
	if len(norm) > 4 && strings.HasSuffix(norm, "ed") && !notPast[norm] {
		return "", VerbPast | VerbParticiple
	}
	return "", 0
}

type verb struct {
	base string
	form VerbForm
}

// notPast are words in -ed that are no past forms.
var notPast = qWords(`indeed need speed seed breed creed greed weed united hundred sacred naked wicked kindred
	exceed proceed succeed embed infrared`)

// irregularVerbs lists base, past and participle.
const irregularVerbs = `become became become|begin began begun|bear bore born|beat beat beaten|bend bent bent|bid bid bid|bind bound bound|
	bite bit bitten|bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought|
	build built built|burn burnt burnt|buy bought bought|cast cast cast|catch caught caught|choose chose chosen|come came come|
	cost cost cost|cut cut cut|deal dealt dealt|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|
	fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown|forbid forbade forbidden|
	forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|
	hang hung hung|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|
	know knew known|lay laid laid|lead led led|leave left left|lend lent lent|let let let|lie lay lain|lose lost lost|
	make made made|mean meant meant|meet met met|pay paid paid|put put put|quit quit quit|read read read|ride rode ridden|
	ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|
	set set set|shake shook shaken|shoot shot shot|show showed shown|shut shut shut|sing sang sung|sink sank sunk|sit sat sat|
	sleep slept slept|speak spoke spoken|spend spent spent|split split split|spread spread spread|stand stood stood|
	steal stole stolen|strike struck struck|swear swore sworn|swim swam swum|take took taken|teach taught taught|
	tell told told|think thought thought|throw threw thrown|understand understood understood|wear wore worn|win won won|write wrote written`

// regularVerbs lists the bases of common regular verbs.
const regularVerbs = `abolish accept achieve acquire act adapt add address adopt advertise affect agree air allow announce appear apply appoint
	approve argue arrive ask assassinate assist attack attend award ban base belong border broadcast bury call campaign
	cancel capture carry cause celebrate change claim close coach co-found co-write collaborate command commission compete complete
	compose conclude conduct connect conquer consist contain continue contribute control cover create cross crown dance date debut decide
	declare dedicate defeat define depict describe design destroy determine develop devote die direct disappear disband discover
	discuss dissolve distribute divide divorce donate earn edit elect emerge employ end enter establish execute exist expand
	expel explain explore export face feature file film finance finish follow force form found front fund gain govern graduate
	happen head help host house identify implement import improve include increase influence inhabit inherit inspire introduce invade
	invent involve issue join kidnap kill land last launch lay lecture like line link list live locate love maintain manage
	manufacture mark marry meet merge mention migrate move murder name narrate negotiate nominate occupy occur offer open operate oppose
	orbit order organize originate oversee own paint participate perform pioneer plan play pose portray possess premiere present
	preserve preside prevent print produce promote propose protect prove provide publish pursue race rank receive recognize record
	recruit refer reform refuse reign reject relate release remain rename renew replace report represent require reside resign
	respond result retire return reveal rule save score secede separate serve settle share shape sign sponsor star start state stay
	stop store strengthen study succeed suffer suggest support supply surrender surround survive teach tour trade train transfer translate travel treat
	try turn unite use utilize visit voice vote walk want watch work worship`

var verbs = func() map[string]verb {
	m := make(map[string]verb, 2048)
	add := func(form, base string, f VerbForm) {
		v := m[form]
		if v.base == "" {
			v.base = base
		}
		v.form |= f
		m[form] = v
	}
	present := func(b string) {
		add(b, b, VerbBase)
		add(third(b), b, VerbThird)
		add(ing(b), b, VerbIng)
	}
	for _, row := range strings.Split(irregularVerbs, "|") {
		f := strings.Fields(row)
		present(f[0])
		add(f[1], f[0], VerbPast)
		add(f[2], f[0], VerbParticiple)
	}
	for _, b := range strings.Fields(regularVerbs) {
		present(b)
		add(past(b), b, VerbPast|VerbParticiple)
	}
	for _, w := range []string{"lay", "found"} { // "found" is find's past far more often than a base
		v := m[w]
		v.base = map[string]string{"lay": "lie", "found": "find"}[w]
		m[w] = v
	}
	return m
}()

func qWords(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// doubles are the regular bases whose last consonant doubles.
var doubles = qWords("ban star plan stop stab rob run get put cut hit set sit swim win begin let bid quit shut split transfer refer prefer occur expel cancel travel")

func consonantY(b string) bool {
	n := len(b)
	return n > 1 && b[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(b[n-2]))
}

func third(b string) string {
	switch {
	case consonantY(b):
		return b[:len(b)-1] + "ies"
	case strings.HasSuffix(b, "s"), strings.HasSuffix(b, "sh"), strings.HasSuffix(b, "ch"),
		strings.HasSuffix(b, "x"), strings.HasSuffix(b, "z"), strings.HasSuffix(b, "go"):
		return b + "es"
	}
	return b + "s"
}

func past(b string) string {
	switch {
	case b == "broadcast":
		return b
	case strings.HasSuffix(b, "e"):
		return b + "d"
	case consonantY(b):
		return b[:len(b)-1] + "ied"
	case doubles[b]:
		return b + b[len(b)-1:] + "ed"
	}
	return b + "ed"
}

func ing(b string) string {
	switch {
	case b == "die" || b == "lie":
		return b[:1] + "ying"
	case strings.HasSuffix(b, "e") && !strings.HasSuffix(b, "ee"):
		return b[:len(b)-1] + "ing"
	case doubles[b]:
		return b + b[len(b)-1:] + "ing"
	}
	return b + "ing"
}

// Third returns the third person of a base: plays, marries, goes.
func Third(base string) string { return third(base) }
