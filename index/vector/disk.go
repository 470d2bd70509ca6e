package vector

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	boltproblem "go.etcd.io/bbolt/errors"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// lockWait is how long opening waits for another process to let go.
const lockWait = 500 * time.Millisecond

var (
	bucketDocuments = []byte("documents") // by ID: passages with their vectors
	bucketMeta      = []byte("meta")
	keyFormat       = []byte("format")
	keyPosition     = []byte("position")
)

// disk is where the store survives a restart: one file, read whole when the
// store is opened and then only written. A nil disk keeps nothing.
type disk struct{ db *bbolt.DB }

func openDisk(dir string) (*disk, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fault.Permanentf("vector index: %w", err)
	}
	db, err := bbolt.Open(filepath.Join(dir, "vectors.db"), 0o640, &bbolt.Options{
		Timeout:      lockWait,
		FreelistType: bbolt.FreelistMapType,
	})
	switch {
	case errors.Is(err, boltproblem.ErrTimeout):
		return nil, fault.Permanentf("vector index %s is in use by another process: stop that one, or give this one its own data directory", dir)
	case err != nil:
		return nil, unreadable(dir, err)
	}
	return &disk{db}, nil
}

func unreadable(dir string, err error) error {
	return fault.Permanentf("vector index %s cannot be opened (delete that folder to have it built anew from the document stream): %w", dir, err)
}

// format returns what the store was made with, "" for a new one.
func (d *disk) format() (f string, err error) {
	err = d.db.View(func(tx *bbolt.Tx) error {
		if b := tx.Bucket(bucketMeta); b != nil {
			f = string(b.Get(keyFormat))
		}
		return nil
	})
	return f, err
}

// load calls each with every document, and returns the position.
func (d *disk) load(each func(change) error) (p index.Position, err error) {
	err = d.db.View(func(tx *bbolt.Tx) error {
		if raw := tx.Bucket(bucketMeta).Get(keyPosition); raw != nil {
			if err := json.Unmarshal(raw, &p); err != nil {
				return fmt.Errorf("position: %w", err)
			}
		}
		return tx.Bucket(bucketDocuments).ForEach(func(k, v []byte) error {
			c, err := decode(string(k), v)
			if err != nil {
				return err
			}
			return each(c)
		})
	})
	return p, err
}

// write stores changes and position together.
func (d *disk) write(changes []change, position index.Position) error {
	if d == nil {
		return nil
	}
	raw, err := json.Marshal(position)
	if err != nil {
		return err
	}
	return d.db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucketDocuments)
		for i := range changes {
			c := &changes[i]
			if len(c.passages) == 0 {
				if err := b.Delete([]byte(c.id)); err != nil {
					return fmt.Errorf("document %q: %w", c.id, err)
				}
				continue
			}
			if err := b.Put([]byte(c.id), c.encode()); err != nil {
				return fmt.Errorf("document %q: %w", c.id, err)
			}
		}
		return tx.Bucket(bucketMeta).Put(keyPosition, raw)
	})
}

// reset empties the store and writes down what it is going to be made with.
func (d *disk) reset(format string) error {
	if d == nil {
		return nil
	}
	return d.db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{bucketDocuments, bucketMeta} {
			if err := tx.DeleteBucket(name); err != nil && !errors.Is(err, boltproblem.ErrBucketNotFound) {
				return err
			}
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put(keyFormat, []byte(format))
	})
}

func (d *disk) close() error {
	if d == nil {
		return nil
	}
	return d.db.Close()
}

// encode writes the passages: their number, the length of a vector and the
// title, which all of them share, then ID, text, place and vector of each. Numbers
// and lengths are varints, vectors little-endian.
func (c *change) encode() []byte {
	b := binary.AppendUvarint(nil, uint64(len(c.passages)))
	b = binary.AppendUvarint(b, uint64(len(c.vectors[0])))
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	text(c.passages[0].Title)
	for i, p := range c.passages {
		text(p.ID)
		text(p.Text)
		text(messages.PackPlace(p.Place))
		for _, x := range c.vectors[i] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

func decode(id string, b []byte) (change, error) {
	c := change{id: id}
	bad := fmt.Errorf("document %q is cut short", id)
	number := func() (n int, ok bool) {
		v, size := binary.Uvarint(b)
		if size <= 0 || v > math.MaxInt32 {
			return 0, false
		}
		b = b[size:]
		return int(v), true
	}
	text := func() (s string, ok bool) {
		n, ok := number()
		if !ok || n > len(b) {
			return "", false
		}
		s, b = string(b[:n]), b[n:]
		return s, true
	}
	n, ok1 := number()
	dims, ok2 := number()
	title, ok3 := text()
	if !ok1 || !ok2 || !ok3 || n == 0 || dims == 0 {
		return c, bad
	}
	for range n {
		p := messages.Passage{Title: title}
		p.ID, ok1 = text()
		p.Text, ok2 = text()
		place, ok3 := text()
		if !ok1 || !ok2 || !ok3 || len(b) < 4*dims {
			return c, bad
		}
		p.Place = messages.UnpackPlace(place)
		v := make([]float32, dims)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		b = b[4*dims:]
		c.passages = append(c.passages, p)
		c.vectors = append(c.vectors, v)
	}
	return c, nil
}
