package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
	"hopstream/index/searcher"
)

// Hit is a passage that was found.
type Hit struct {
	Rank  int      `json:"rank"` // from 1
	Score float64  `json:"score"`
	By    []string `json:"by"` // the searchers that found it
	Passage
	// Marks are where the words of the query stand in the text, in characters
	// (Unicode code points).
	Marks [][2]int `json:"marks"`
}

// Found is the result of a search.
type Found struct {
	Query    string   `json:"query"`
	Searcher string   `json:"searcher"`
	DocsSeq  uint64   `json:"docs_seq"` // up to where the document stream was searched
	Degraded []string `json:"degraded"` // searchers that failed and what others went on without, each as "name: reason"
	Passages []Hit    `json:"passages"`
}

// Search finds passages. Running workers are asked; where there are none, stores
// of this process are searched once they hold every stored document. A request
// that cannot be met is wrong use.
func Search(ctx context.Context, a *cli.App, r node.SearchRequest) (*Found, error) {
	if err := check(a.Config, r); err != nil {
		return nil, cli.Usage(err)
	}
	l, err := Open(ctx, a)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	var reply *node.SearchReply
	err = nats.ErrNoResponders
	if !l.conn.Own {
		reply, err = l.ask(ctx, r)
	}
	if errors.Is(err, nats.ErrNoResponders) {
		reply, err = l.search(ctx, r)
	}
	if errors.Is(err, node.ErrRequest) {
		return nil, cli.Usage(err)
	}
	if err != nil {
		return nil, err
	}
	out := &Found{Query: r.Query, Searcher: reply.Searcher, DocsSeq: reply.DocsSeq, Degraded: reply.Degraded, Passages: make([]Hit, len(reply.Passages))}
	for i := range reply.Passages {
		p := &reply.Passages[i]
		out.Passages[i] = Hit{Rank: p.Rank, Score: p.Score, By: p.By, Passage: passageOf(p), Marks: characters(p.Text, marks(r.Query, p.Text))}
	}
	return out, nil
}

// check says what is wrong with r wherever it is met: workers may be configured
// with searchers that this process is not.
func check(c config.Config, r node.SearchRequest) error {
	if _, known := searcher.Lookup(r.Searcher); known {
		r.Searcher = ""
	}
	return r.Check(&c)
}

// patience is how long workers may take until their index is ready.
const patience = 10 * time.Second

// ask asks running workers. It fails with nats.ErrNoResponders where there are
// none.
func (l *Library) ask(ctx context.Context, r node.SearchRequest) (*node.SearchReply, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	for start := time.Now(); ; {
		msg, err := l.request(ctx, body)
		if err != nil {
			return nil, err
		}
		code, reason := msg.Header.Get(micro.ErrorCodeHeader), msg.Header.Get(micro.ErrorHeader)
		switch {
		case code == "503" && time.Since(start) < patience:
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(100 * time.Millisecond):
			}
			continue
		case code == "400":
			return nil, cli.Usagef("%s", reason)
		case code != "":
			return nil, fmt.Errorf("search: %s (see: hopstream status)", reason)
		}
		var reply node.SearchReply
		if err := json.Unmarshal(msg.Data, &reply); err != nil {
			return nil, fmt.Errorf("search: the worker's reply: %w", err)
		}
		return &reply, nil
	}
}

func (l *Library) request(ctx context.Context, body []byte) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, l.app.Config.Retriever.Wait()+patience)
	defer cancel()
	msg, err := l.conn.NC.RequestWithContext(ctx, l.conn.Names.Search(), body)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("the workers do not answer within %v: see their logs", l.app.Config.Retriever.Wait()+patience)
	}
	return msg, err
}

// search searches stores of this process.
func (l *Library) search(ctx context.Context, r node.SearchRequest) (_ *node.SearchReply, err error) {
	cfg := l.app.Config
	if err := r.Check(&cfg); err != nil {
		return nil, err
	}
	if r.Searcher != "" && cfg.Index.Store != config.StoreWeaviate { // whose passages have vectors if any searcher wants them
		cfg.Retriever.Searchers = []string{r.Searcher}
	}
	n, err := node.StartSearch(ctx, cfg, l.app.Log, l.conn)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	if err := n.Stores.WaitFor(ctx, l.stream.CachedInfo().State.LastSeq); err != nil {
		return nil, err
	}
	return n.Search(ctx, r)
}
