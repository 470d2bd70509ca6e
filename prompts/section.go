package prompts

import (
	"strconv"
	"strings"
)

// Passage is a retrieved text, or a window cut from one. Passages are numbered
// from 1 in their order.
type Passage struct{ Title, Text string }

// Pair is a sub-question and its answer; an empty Answer means that none was
// found, which a model is told in words.
type Pair struct{ Question, Answer string }

// What a model reads where there is nothing.
const (
	notFound   = "<notfound>No answer was found.</notfound>"
	noPassages = "There are no passages."
	noFindings = "Nothing has been looked up yet."
	noAnswers  = "There are no answers."
	noKeywords = "There are no keywords."
	noPlan     = "There is no plan."
)

func questionSection(question string) string { return textSection("question", question) }

func problemSection(problem string) string { return textSection("problem", problem) }

func predictionSection(prediction string) string { return textSection("prediction", prediction) }

func textSection(mark, text string) string {
	return "<" + mark + ">\n" + escape(text) + "\n</" + mark + ">"
}

// passagesSection lays out:
//
//	<passages>
//	<passage number="1" title="Marie Curie">
//	text
//	</passage>
//	</passages>
func passagesSection(passages []Passage) string {
	size := 64
	for _, p := range passages {
		size += len(p.Title) + len(p.Text) + 64
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString("<passages>\n")
	if len(passages) == 0 {
		b.WriteString(noPassages + "\n")
	}
	for i, p := range passages {
		b.WriteString(`<passage number="`)
		b.WriteString(strconv.Itoa(i + 1))
		if title := escapeTitle(p.Title); title != "" {
			b.WriteString(`" title="`)
			b.WriteString(title)
		}
		b.WriteString("\">\n")
		b.WriteString(escape(p.Text))
		b.WriteString("\n</passage>\n")
	}
	b.WriteString("</passages>")
	return b.String()
}

// findingsSection lays out:
//
//	<findings>
//	<finding number="1">
//	<asked>question</asked>
//	<found>answer</found>
//	</finding>
//	</findings>
func findingsSection(pairs []Pair) string {
	var b strings.Builder
	b.WriteString("<findings>\n")
	if len(pairs) == 0 {
		b.WriteString(noFindings + "\n")
	}
	for i, p := range pairs {
		b.WriteString(`<finding number="`)
		b.WriteString(strconv.Itoa(i + 1))
		b.WriteString("\">\n<asked>")
		b.WriteString(escape(p.Question))
		b.WriteString("</asked>\n")
		if answer := escape(p.Answer); answer == "" {
			b.WriteString(notFound)
		} else {
			b.WriteString("<found>")
			b.WriteString(answer)
			b.WriteString("</found>")
		}
		b.WriteString("\n</finding>\n")
	}
	b.WriteString("</findings>")
	return b.String()
}

// answersSection lays out:
//
//	<answers>
//	<answer number="1">answer</answer>
//	</answers>
func answersSection(answers []string) string {
	var b strings.Builder
	b.WriteString("<answers>\n")
	if len(answers) == 0 {
		b.WriteString(noAnswers + "\n")
	}
	for i, a := range answers {
		b.WriteString(`<answer number="`)
		b.WriteString(strconv.Itoa(i + 1))
		b.WriteString(`">`)
		if a = escape(a); a == "" {
			a = notFound
		}
		b.WriteString(a)
		b.WriteString("</answer>\n")
	}
	b.WriteString("</answers>")
	return b.String()
}

// keywordsSection lays out:
//
//	<keywords>
//	<keyword number="1">keyword</keyword>
//	</keywords>
func keywordsSection(keywords []string) string {
	return textsSection("keywords", "keyword", keywords, noKeywords)
}

// planSection lays out:
//
//	<plan>
//	<planned number="1">sub-question</planned>
//	</plan>
func planSection(plan []string) string {
	return textsSection("plan", "planned", plan, noPlan)
}

func textsSection(section, mark string, texts []string, none string) string {
	var b strings.Builder
	b.WriteString("<" + section + ">\n")
	if len(texts) == 0 {
		b.WriteString(none + "\n")
	}
	for i, text := range texts {
		b.WriteString("<" + mark + ` number="`)
		b.WriteString(strconv.Itoa(i + 1))
		b.WriteString(`">`)
		b.WriteString(escape(text))
		b.WriteString("</" + mark + ">\n")
	}
	b.WriteString("</" + section + ">")
	return b.String()
}
