package lang

// IsStop reports whether a normal form carries structure instead of content:
// articles, pronouns, prepositions, conjunctions, auxiliaries, question words.
func IsStop(norm string) bool {
	e := lookUp(norm)
	return e != nil && e.stop
}

const stopWords = `a an the this that these those such i me my we us our you your he him his she her hers it its they them their
	itself himself herself themselves one's who whom whose what which when where why how whats whos there here and
	or but nor if then than as because while although though so yet of in on at by for from to with into onto
	about over under through during before after between among against within without upon via per off out up down
	near since until also both each either is am are was were be been being 's isn't wasn't do does did done doing
	don't doesn't didn't has have had having can could will would shall should may might must not no any some all
	very just own too only same other another more most however many much s t`

// stopCharacters are those of scripts whose characters are tokens: of Chinese particles,
// pronouns, prepositions and question words, of Japanese the hiragana, which are
// endings and particles.
const stopCharacters = `的 了 着 过 地 得 们 是 在 有 和 与 及 或 而 但 也 都 就 还 又 吗 呢 吧 啊 么 我 你 您 他 她 它 这 那 此 其 之 于 以 为 从 被 把 将 对 由
	个 什 谁 哪 怎 何 吗 几 请 问 請 問 嗎 們 這 個 為 從 對 將 還 誰 麼 與 於 が の を に へ と は も で や か な だ す る れ た て い う し さ ま く け こ そ あ り ら よ ね ん え お せ ど`

// IsPreposition reports whether a normal form is a common preposition.
func IsPreposition(norm string) bool {
	switch norm {
	case "of", "in", "on", "at", "by", "for", "from", "to", "with", "into", "onto", "about", "over", "under",
		"through", "during", "before", "after", "between", "among", "against", "within", "without", "upon",
		"via", "per", "near", "since", "until", "as", "than", "towards", "toward", "across", "along", "around", "behind":
		return true
	}
	return false
}

// IsAuxiliary reports whether a normal form is a form of be, do or have, or a modal.
func IsAuxiliary(norm string) bool {
	switch norm {
	case "is", "am", "are", "was", "were", "be", "been", "do", "does", "did", "has", "have", "had",
		"can", "could", "will", "would", "shall", "should", "may", "might", "must",
		"isn't", "wasn't", "aren't", "weren't", "don't", "doesn't", "didn't":
		return true
	}
	return false
}

// IsBe reports whether a normal form is a form of be.
func IsBe(norm string) bool {
	switch norm {
	case "is", "are", "was", "were", "be", "been", "am":
		return true
	}
	return false
}

// Denies reports whether a word denies what it stands with.
func Denies(norm string) bool {
	switch norm {
	case "not", "no", "never", "cannot", "neither", "nor", "without", "only", "none", "nobody", "nothing":
		return true
	}
	return len(norm) > 3 && norm[len(norm)-3:] == "n't"
}
