package prompts

import (
	"cmp"
	"strconv"
	"strings"
)

// The texts that a model reads in place of an empty section.
const (
	notFound   = "<notfound>No answer was found.</notfound>"
	noPassages = "There are no passages."
	noFindings = "Nothing has been looked up yet."
	noAnswers  = "There are no answers."
	noKeywords = "There are no keywords."
	noPlan     = "There is no plan."

	noQuestions = "There are no questions."
)

func questionSection(question string) string { return textSection("question", question) }

func problemSection(problem string) string { return textSection("problem", problem) }

func predictionSection(prediction string) string { return textSection("prediction", prediction) }

func entitySection(name string) string { return textSection("entity", name) }

func textSection(mark, text string) string {
	return "<" + mark + ">\n" + escape(text) + "\n</" + mark + ">"
}

// passagesSection lays out:
//
//	<passages>
//	<passage number="1" title="Marie Curie" heading="Life › Early years">
//	text
//	</passage>
//	</passages>
//
// The text stays as it is, with its lists, tables and fences of code: nothing in
// it can end the passage.
func passagesSection(passages []Passage) string {
	size := 64
	for _, p := range passages {
		size += len(p.Title) + len(p.Heading) + len(p.Text) + 64
	}
	return listSection("passages", "passage", len(passages), size, noPassages, func(b *builder, i int) {
		if title := escapeTitle(passages[i].Title); title != "" {
			b.add(` title="`, title, `"`)
		}
		if heading := escapeTitle(passages[i].Heading); heading != "" {
			b.add(` heading="`, heading, `"`)
		}
		b.add(">\n", escape(passages[i].Text), "\n")
	})
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
	return listSection("findings", "finding", len(pairs), 0, noFindings, func(b *builder, i int) {
		b.add(">\n<asked>", escape(pairs[i].Question), "</asked>\n")
		if answer := escape(pairs[i].Answer); answer == "" {
			b.add(notFound, "\n")
		} else {
			b.add("<found>", answer, "</found>\n")
		}
	})
}

// answersSection lays out:
//
//	<answers>
//	<answer number="1">answer</answer>
//	</answers>
func answersSection(answers []string) string {
	return listSection("answers", "answer", len(answers), 0, noAnswers, func(b *builder, i int) {
		b.add(">", cmp.Or(escape(answers[i]), notFound))
	})
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

// questionsSection lays out:
//
//	<questions>
//	<question number="1">question</question>
//	</questions>
func questionsSection(questions []string) string {
	return textsSection("questions", "question", questions, noQuestions)
}

func textsSection(section, mark string, texts []string, none string) string {
	return listSection(section, mark, len(texts), 0, none, func(b *builder, i int) { b.add(">", escape(texts[i])) })
}

// listSection lays out n marks, numbered from 1, or says that there are none.
// item writes what follows a mark's number, up to the closing mark. The size,
// in bytes, is about what the section comes to.
func listSection(section, mark string, n, size int, none string, item func(b *builder, i int)) string {
	var b builder
	b.Grow(size)
	b.add("<", section, ">\n")
	if n == 0 {
		b.add(none, "\n")
	}
	for i := range n {
		b.add("<", mark, ` number="`, strconv.Itoa(i+1), `"`)
		item(&b, i)
		b.add("</", mark, ">\n")
	}
	b.add("</", section, ">")
	return b.String()
}

type builder struct{ strings.Builder }

func (b *builder) add(parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
}
