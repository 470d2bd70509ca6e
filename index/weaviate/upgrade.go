package weaviate

import (
	"context"
	"fmt"
	"strings"

	"github.com/weaviate/weaviate/entities/models"

	"hopstream/index/links"
	"hopstream/messages"
)

// Upgrade stores what an older version of this package did not: what each
// passage is called. Nothing is embedded again. Only who fills the store may
// call it; Apply does where it is needed, and until then Links finds passages
// by words alone. Cut short, it starts over.
func (s *Store) Upgrade(ctx context.Context) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	_, err := s.verify(ctx)
	return err
}

// older reports whether passages were stored by the version before, with the
// same settings.
func (s *Store) older(st state) bool {
	want := formatOf(s.opts)
	return st.format == fmt.Sprint(format-1)+strings.TrimPrefix(want, fmt.Sprint(format))
}

func (s *Store) upgrade(ctx context.Context, st *state) error {
	s.opts.Logger.Info("storing what passages are called, which an older version did not", "class", s.opts.Class)
	var last []object
	n := 0
	for after := firstUUID; ; {
		get := s.conn.data.ObjectsGetter().WithClassName(s.opts.Class).WithLimit(upgradeBatch).WithAfter(after).WithVector()
		found, err := get.Do(ctx)
		if err != nil {
			return classify(ctx, "read stored passages", err)
		}
		var objects []object
		for _, o := range found {
			properties, _ := o.Properties.(map[string]any)
			p := passageOf(properties)
			after = string(o.ID)
			if p.ID == "" {
				continue
			}
			properties[propKeys] = keysOf(p)
			objects = append(objects, object{&models.Object{Class: s.opts.Class, ID: o.ID, Properties: properties, Vector: o.Vector, Vectors: o.Vectors}, p.ID})
		}
		if err := s.send(ctx, fmt.Sprintf("store %d passages", len(objects)), objects); err != nil {
			return err
		}
		n += len(objects)
		if len(objects) > 0 {
			last = objects[max(0, len(objects)-settle):]
		}
		if len(found) < upgradeBatch {
			break
		}
	}
	if err := s.send(ctx, "store passages", last); err != nil { // as store does
		return err
	}
	st.format = formatOf(s.opts)
	s.opts.Logger.Info("stored what passages are called", "class", s.opts.Class, "passages", n)
	return s.save(ctx, *st)
}

// upgradeBatch is how many passages are stored anew at once.
const upgradeBatch = 200

// keysOf returns what a passage is called, as it is stored.
func keysOf(p messages.Passage) []string {
	if keys := links.Keys(p); keys != nil {
		return keys
	}
	return []string{}
}
