package weaviate

import (
	"context"
	"errors"
	"fmt"

	"hopstream/index"
)

// errRewound says that the store reads the document stream from its start again.
var errRewound = errors.New("weaviate: an older version of hopstream filled the class: the document stream is read again")

// Upgrade prepares a class that an older version of this package filled with the
// same settings: its position becomes zero, so that who follows the document
// stream stores every document again, as this version cuts them and with what
// they lacked. Until then searches find what is stored. Only who fills the store
// may call it, before following the stream.
func (s *Store) Upgrade(ctx context.Context) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if _, err := s.verify(ctx); !errors.Is(err, errRewound) {
		return err
	}
	return nil
}

// older reports whether passages were stored by an earlier version, with the
// same settings.
func (s *Store) older(st state) bool {
	cut := s.opts.Chunk.WithDefaults()
	for version := 1; version < format; version++ {
		if st.format == fmt.Sprintf("%d in passages of %d/%d %s", version, cut.Size, max(cut.Overlap, 0), s.opts.vectors()) {
			return true
		}
	}
	return false
}

// rewind notes that nothing was read. It returns errRewound.
func (s *Store) rewind(ctx context.Context, st state) error {
	s.opts.Logger.Info("an older version filled the class: every document is stored again", "class", s.opts.Class)
	st.position, st.begun, st.format = index.Position{}, 0, formatOf(s.opts)
	if err := s.save(ctx, st); err != nil {
		return err
	}
	return errRewound
}
