package docstream

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

// listWait bounds a list of what the stream holds: a million IDs take seconds.
const listWait = 2 * time.Minute

// IDs returns the IDs of all documents and parts of documents that the stream
// holds something under, in no order. Some may be of documents that were removed
// (see Publisher.Look).
func (p *Publisher) IDs() ([]string, error) { return p.list(p.names.Filter(messages.KindDocument)) }

// Parts returns the IDs of all parts of documents, as IDs does.
func (p *Publisher) Parts() ([]string, error) {
	return p.list(strings.TrimSuffix(p.names.Filter(messages.KindDocument), ">") + "*.*.*")
}

// PartsOf returns the IDs of the parts of the document called id, as IDs does.
func (p *Publisher) PartsOf(id string) ([]string, error) {
	return p.list(p.names.Subject(messages.KindDocument, messages.Key{ID: id}) + ".*.*")
}

// list returns the IDs of the documents with subjects like filter.
func (p *Publisher) list(filter string) ([]string, error) {
	ctx, cancel := context.WithTimeout(p.ctx, listWait)
	defer cancel()
	info, err := p.stream.Info(ctx, jetstream.WithSubjectFilter(filter)) // page by page
	if err != nil {
		return nil, fmt.Errorf("list documents: %w", explain(err))
	}
	ids := make([]string, 0, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		if _, key, err := p.names.Parse(subject); err == nil {
			ids = append(ids, messages.DocumentID(key))
		}
	}
	return ids, nil
}
