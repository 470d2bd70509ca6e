package links

import (
	"errors"
	"sync/atomic"

	"go.etcd.io/bbolt"
)

// cache keeps passages that were read from the file, so that those which many
// questions lead to are not decoded each time. It is direct-mapped: the last bits
// of a passage's number are its place. A number always means the same passage.
type cache struct {
	places [cacheSlots]atomic.Pointer[cached]
}

type cached struct {
	num int32
	p   *passage
}

const (
	cacheSlots  = 1 << 14
	cacheTokens = 1024 // a longer passage is not kept; one of this length takes 16 kB with its text
)

func newCache() *cache { return new(cache) }

func (s *cache) get(num int32) *passage {
	if e := s.places[num&(cacheSlots-1)].Load(); e != nil && e.num == num {
		return e.p
	}
	return nil
}

func (s *cache) put(num int32, p *passage) {
	if len(p.toks) <= cacheTokens && len(p.text) <= 8*cacheTokens {
		s.places[num&(cacheSlots-1)].Store(&cached{num, p})
	}
}

// reader reads passages, of one state of the file, for one search.
type reader struct {
	c     *corpus
	file  *file
	cache *cache

	tx     *bbolt.Tx // begun with the first passage that is read from the file
	bucket *bbolt.Bucket
}

func (x *Index) reader() *reader { return &reader{c: x.now, file: x.file, cache: x.cache} }

// get returns the passage with number num, which is not removed.
func (r *reader) get(num int32) (*passage, error) {
	if r.file == nil {
		return r.c.held[num], nil
	}
	if p := r.cache.get(num); p != nil {
		return p, nil
	}
	var p *passage
	err := guard(func() (err error) {
		if r.tx == nil {
			if r.tx, err = r.file.db.Begin(false); err != nil {
				return err
			}
			r.bucket = r.tx.Bucket(bucketPassages)
		}
		b := r.bucket.Get(order(int(num)))
		if b == nil {
			return errGone
		}
		p, err = readRecord(&r.c.vocabulary, r.c.ids[num], num, b)
		return err
	})
	if errors.Is(err, errGone) || errors.Is(err, errRecord) {
		err = errors.Join(errDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	r.cache.put(num, p)
	return p, nil
}

func (r *reader) close() {
	if r.tx != nil {
		_ = r.tx.Rollback() // of a transaction that only read
	}
}
