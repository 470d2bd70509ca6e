package links

import (
	"context"
	"errors"
	"strings"
	"sync"

	"hopstream/index/lang"
	"hopstream/index/searcher"
	"hopstream/messages"
)

// Source is a store of passages elsewhere, such as a server, that can look
// passages up by their words and by their Keys.
type Source interface {
	// Words returns the k best passages by their words.
	Words(ctx context.Context, question string, k int) ([]messages.Passage, error)
	// Called returns passages that have one of the keys. If there are more than
	// k, it returns the k that are most similar to the question.
	Called(ctx context.Context, question string, keys []string, k int) ([]messages.Passage, error)
	// Sample returns a sample of the passages, which tells how common words are.
	Sample(ctx context.Context) (*Sample, error)
}

const (
	pooledWords  = 100 // passages fetched by words
	pooledCalled = 100 // passages fetched at once by what they are called
)

// Finder ranks passages that a Source stores, with the features and the weights
// of an Index. It stores none itself: for each question it fetches at most 400
// passages, in three steps, each of which waits for the source once.
type Finder struct {
	source    Source
	read      *readings
	scratches sync.Pool // of *scratch
}

var _ searcher.Searcher = (*Finder)(nil)

// NewFinder returns a searcher over what s keeps. It is safe for concurrent
// use if s is.
func NewFinder(s Source) *Finder { return &Finder{source: s, read: newReadings()} }

// Search returns the k best passages for question, as Index.Search does.
// Errors are the source's.
func (f *Finder) Search(ctx context.Context, question string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil || k <= 0 {
		return nil, err
	}
	question = question[:min(len(question), maxQuestion)]
	question = strings.ToValidUTF8(question, " ")
	d, _ := f.scratches.Get().(*scratch)
	if d == nil {
		d = new(scratch)
	}
	defer func() {
		d.clear()
		f.scratches.Put(d)
	}()
	p, err := f.begin(ctx, d, question, k)
	if err != nil {
		return nil, err
	}
	for stage := 1; ; stage++ {
		q, err := p.rank(ctx, stage, k)
		if err != nil {
			return nil, err
		}
		if stage == len(fitted) {
			return q.results(k), nil
		}
		// The next stage follows the names in the best passages of this one.
		called, err := f.called(ctx, question, p.named(q))
		if err != nil {
			return nil, err
		}
		p.add(called)
	}
}

// begin fetches the passages that share words with the question, and those
// whose names stand in it.
func (f *Finder) begin(ctx context.Context, d *scratch, question string, k int) (*pool, error) {
	sample, err := f.source.Sample(ctx)
	if err != nil {
		return nil, err
	}
	toks := lang.Tokens(question)
	p := newPool(question, toks, sample, f.read, d)
	keys := p.fresh(askedIn(toks))
	var words, called []messages.Passage
	var errWords, errCalled error
	var wg sync.WaitGroup
	wg.Go(func() { words, errWords = f.source.Words(ctx, question, max(k, pooledWords)) })
	wg.Go(func() { called, errCalled = f.called(ctx, question, keys) })
	wg.Wait()
	if errWords != nil || errCalled != nil {
		if errWords == nil || errCalled == nil {
			return nil, errors.Join(errWords, errCalled)
		}
		return nil, errWords // both calls most likely failed for the same reason
	}
	p.add(words)
	p.add(called)
	return p, nil
}

func (f *Finder) called(ctx context.Context, question string, keys []string) ([]messages.Passage, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return f.source.Called(ctx, question, keys, pooledCalled)
}
