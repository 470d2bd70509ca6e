package messages_test

import (
	"fmt"
	"log"
	"time"

	"hopstream/messages"
)

// A question goes out under its subject, and whoever reads it gets it back.
func Example() {
	question := &messages.Question{
		ID:       "q-1",
		Question: "Where was the discoverer of polonium born?",
		Deadline: messages.Deadline{After: 90 * time.Second},
		Budget:   messages.Budget{Rounds: 3},
	}
	data, err := messages.Encode(question)
	if err != nil {
		log.Fatal(err)
	}
	names := messages.DefaultNames()
	subject := names.Of(question)
	fmt.Println(subject)
	fmt.Printf("%s\n", data)

	kind, key, err := names.Parse(subject)
	if err != nil {
		log.Fatal(err)
	}
	m, err := messages.Decode(kind, data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(key.ID, m.(*messages.Question).Question)

	_, err = messages.Decode(kind, []byte(`{"question": " "}`))
	fmt.Println(err)
	// Output:
	// hop.v1.question.q-1
	// {"v":1,"kind":"question","id":"q-1","question":"Where was the discoverer of polonium born?","deadline":"1m30s","budget":{"rounds":3}}
	// q-1 Where was the discoverer of polonium born?
	// decode question: "question" is empty: give its text
}
