package synthetic

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"hopstream/messages"
)

// Corpus writes a corpus of n passages about invented people, towns and
// works, linked to one another, to path, and returns questions about them. The
// words follow Zipf's law, as those of real text do.
func Corpus(path string, n int) (questions []string, err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 4, 30_000)
	enc := json.NewEncoder(w)
	for i := range n {
		town, work := name(n+i/7), workOf(n, i)
		var b strings.Builder
		fmt.Fprintf(&b, "%s (born %d in %s) is a writer from %s. %s wrote %s, which appeared in %d.", name(i), 1800+i%200, town, town, name(i), work, 1820+i%200)
		for range 5 {
			b.WriteString(" ")
			for w := range 14 {
				if w > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(word(zipf.Uint64(), w == 0))
			}
			b.WriteByte('.')
		}
		if err := enc.Encode(messages.Document{ID: fmt.Sprintf("p%d", i), Title: name(i), Text: b.String()}); err != nil {
			return nil, err
		}
		switch i % 3 {
		case 0:
			questions = append(questions, fmt.Sprintf("Where was %s born?", name(i)))
		case 1:
			questions = append(questions, fmt.Sprintf("Where was %s born and what did %s write?", name(i), name(i)))
		case 2:
			questions = append(questions, fmt.Sprintf("Where was the author of %s born?", work))
		}
	}
	rng.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
	return questions, w.Flush()
}

// name is an invented name of two words.
func name(i int) string {
	return word(uint64(i)*2654435761%90_000+40_000, true) + " " + word(uint64(i)*40503%70_000+40_000, true)
}

// workOf is what the i-th of n writers wrote.
func workOf(n, i int) string { return name(2*n + i) }

// Repeated returns so many questions about the writers of a corpus of n passages,
// each asked about equally often, in five ways: for one thing, for two, and by way
// of what they wrote. Where there are more than five of each writer, some are the
// same, and parts of others are.
func Repeated(n, questions int) []string {
	out := make([]string, questions)
	for i := range out {
		who := name(i % n)
		switch i / n % 5 {
		case 0:
			out[i] = fmt.Sprintf("Where was %s born?", who)
		case 1:
			out[i] = fmt.Sprintf("Where was %s born and what did %s write?", who, who)
		case 2:
			out[i] = fmt.Sprintf("Where was the author of %s born?", workOf(n, i%n))
		case 3:
			out[i] = fmt.Sprintf("What did %s write?", who)
		case 4:
			out[i] = fmt.Sprintf("What did %s write and when was %s born?", who, who)
		}
	}
	return out
}

// word spells a number in syllables.
func word(n uint64, capital bool) string {
	const consonants, vowels = "bdfgklmnprstv", "aeiou"
	b := make([]byte, 0, 12)
	for ok := true; ok || n > 0; ok = false {
		b = append(b, consonants[n%13], vowels[n/13%5])
		n /= 65
	}
	if capital {
		b[0] -= 'a' - 'A'
	}
	return string(b)
}
