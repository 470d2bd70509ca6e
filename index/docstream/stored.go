package docstream

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"strconv"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

// Stored is what the stream says of the document that it holds under an ID. The
// zero value says that there is none.
type Stored struct {
	// Hash is that of the content (see messages.Document.Hash).
	Hash string
	// Root is the folder that the document comes from; empty where it brought
	// its ID, or was stored by an older build.
	Root string
}

// Exists reports whether there is a document, and not one that was removed.
func (s Stored) Exists() bool { return s.Hash != "" && s.Hash != removed }

// removed is the hash of every document that was removed.
var removed = (&messages.Document{Deleted: true}).Hash()

// Clashes reports whether d, which is not the same as what is stored, comes from
// another folder. A document without a folder replaces only those without one. A
// deletion clashes with nothing.
func (s Stored) Clashes(d *messages.Document) bool {
	return !d.Deleted && s.Exists() && s.Root != "" && s.Root != d.Root
}

// same reports whether storing d would change nothing. Where the folder of what
// is stored is not known, or to be replaced, it is stored again.
func (s Stored) same(d *messages.Document, replace bool) bool {
	switch {
	case d.Deleted:
		return !s.Exists()
	case s.Hash != d.Hash():
		return false
	case s.Root == "":
		return d.Root == ""
	}
	return s.Root == d.Root || !replace
}

// Look reads what the stream holds under ids, with many requests under way, and
// tells fn of each document that exists, one at a time and in any order. Add
// takes what was read for what is there, and does not ask again. Look comes
// before the first Add.
func (p *Publisher) Look(ids iter.Seq[string], fn func(id string, s Stored)) error {
	if p.fresh {
		return nil
	}
	var wg sync.WaitGroup
	work := make(chan string)
	for range p.opts.Pending {
		wg.Go(func() {
			for id := range work {
				s, err := p.lookUp(id)
				if err != nil {
					p.cancel(err)
					continue
				}
				p.mu.Lock()
				p.known[id] = s
				if s.Exists() {
					fn(id, s)
				}
				p.mu.Unlock()
			}
		})
	}
	for id := range ids {
		select {
		case work <- id:
			continue
		case <-p.ctx.Done():
		}
		break
	}
	close(work)
	wg.Wait()
	return context.Cause(p.ctx)
}

// last returns what the stream holds under id. What Look read is good for one
// time, since it is then replaced.
func (p *Publisher) last(id string) (Stored, error) {
	p.mu.Lock()
	s, ok := p.known[id]
	delete(p.known, id)
	p.mu.Unlock()
	if ok {
		return s, nil
	}
	return p.lookUp(id)
}

// lookUp asks the stream. A document written by another client carries no
// headers and is hashed here.
func (p *Publisher) lookUp(id string) (Stored, error) {
	subject := p.names.Of(&messages.Document{ID: id})
	var last *jetstream.RawStreamMsg
	err := p.retry(func(ctx context.Context) (err error) {
		last, err = p.stream.GetLastMsgForSubject(ctx, subject)
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return Stored{}, nil
	case err != nil:
		return Stored{}, err
	}
	if h := last.Header.Get(HashHeader); h != "" {
		// One string for every document of a folder: there may be many.
		return Stored{Hash: h, Root: p.roots.of(last.Header.Get(RootHeader))}, nil
	}
	m, err := messages.Decode(messages.KindDocument, last.Data)
	if err != nil {
		return Stored{Hash: "unreadable " + strconv.FormatUint(last.Sequence, 10)}, nil // to be replaced
	}
	d := m.(*messages.Document)
	if d.ID != id {
		return Stored{Hash: "of another document"}, nil
	}
	return Stored{Hash: d.Hash(), Root: d.Root}, nil
}

// rootNames reads the header of roots.
type rootNames struct {
	mu  sync.Mutex
	all map[string]string
}

func (r *rootNames) of(header string) string {
	if header == "" {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	root, ok := r.all[header]
	if !ok {
		var err error
		if root, err = url.PathUnescape(header); err != nil {
			root = header // of another client
		}
		if r.all == nil {
			r.all = map[string]string{}
		}
		r.all[header] = root
	}
	return root
}
