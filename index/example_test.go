package index_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"hopstream/index"
	"hopstream/index/bleve"
	"hopstream/index/document"
	"hopstream/messages"
)

// A few documents are read, indexed in memory and searched. A program reads
// them from the document stream instead: see packages docstream and searcher.
func Example() {
	ctx := context.Background()
	store, err := bleve.Open("", bleve.Options{}) // in memory; a folder's name keeps it on disk
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()

	var docs []messages.Document
	walker := document.Walker{Stdin: strings.NewReader(`
		{"id": "vega", "title": "Vega", "text": "Vega is the brightest star of the Lyre."}
		{"id": "lyre", "title": "The Lyre", "text": "The Lyre is a small constellation of the northern sky."}
		{"id": "swan", "title": "The Swan", "text": "The Swan flies along the Milky Way."}`)}
	_, err = walker.Walk(ctx, []string{"-"}, func(d messages.Document) error {
		docs = append(docs, d)
		return nil
	}, func(path string, line int, err error) { fmt.Fprintln(os.Stderr, path, line, err) })
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := store.Apply(ctx, docs, index.Position{Stream: "example", Sequence: 3}); err != nil {
		fmt.Println(err)
		return
	}

	found, err := store.Search(ctx, "Which star is the brightest of the Lyre?", 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range found {
		fmt.Printf("%d. %s: %s\n", p.Rank, p.ID, p.Text)
	}

	found, err = store.Find(ctx, index.Query{Phrases: []string{"milky way"}, Not: []string{"star"}}, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range found {
		fmt.Println("phrase:", p.ID)
	}
	// Output:
	// 1. vega: Vega is the brightest star of the Lyre.
	// 2. lyre: The Lyre is a small constellation of the northern sky.
	// phrase: swan
}
