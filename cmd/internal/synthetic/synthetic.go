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
	name := func(i int) string {
		return word(uint64(i)*2654435761%90_000+40_000, true) + " " + word(uint64(i)*40503%70_000+40_000, true)
	}
	enc := json.NewEncoder(w)
	for i := range n {
		town, work := name(n+i/7), name(2*n+i)
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
