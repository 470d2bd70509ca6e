// Package weights holds what the built-in engine learned: files that a training
// wrote (hoplab train), as data beside the code.
package weights

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/read"
)

// Set is all that was learned.
type Set struct {
	Classes *linear.Model // of which class a question has
	Nests   *linear.Model // of what a question nests
	Units   *linear.Model // of which unit of the passages answers
	Spans   *linear.Model // of which span of a unit is the answer
	Forms   *linear.Model // of what the answer looks like
	Choice  *linear.Model // of whether to answer with a span or in sentences
	Trust   *linear.Model // of whether an answer is right
	Rarity  *read.Rarity  // of words
}

var (
	//go:embed classes.bin
	classes []byte
	//go:embed nests.bin
	nests []byte
	//go:embed units.bin
	units []byte
	//go:embed spans.bin
	spans []byte
	//go:embed forms.bin
	forms []byte
	//go:embed choice.bin
	choice []byte
	//go:embed trust.bin
	trust []byte
	//go:embed rarity.bin
	rarity []byte
)

// Shipped returns the weights that the program was built with; it decodes them
// once. Nobody may change them.
var Shipped = sync.OnceValue(func() *Set {
	s, err := decode(func(name string) ([]byte, error) {
		return map[string][]byte{"classes": classes, "nests": nests, "units": units, "spans": spans, "forms": forms, "choice": choice, "trust": trust, "rarity": rarity}[name], nil
	})
	if err != nil {
		panic(err) // the build is broken; a test reads them
	}
	return s
})

// Read returns the weights in a folder that Write wrote to.
func Read(dir string) (*Set, error) {
	return decode(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name+".bin")) })
}

func decode(file func(name string) ([]byte, error)) (*Set, error) {
	s := &Set{}
	for name, to := range s.models() {
		data, err := file(name)
		if err != nil {
			return nil, err
		}
		if *to, err = linear.Read(data); err != nil {
			return nil, fmt.Errorf("weights of %s: %w", name, err)
		}
	}
	data, err := file("rarity")
	if err != nil {
		return nil, err
	}
	s.Rarity, err = read.ReadRarity(data)
	return s, err
}

func (s *Set) models() map[string]**linear.Model {
	return map[string]**linear.Model{"classes": &s.Classes, "nests": &s.Nests, "units": &s.Units, "spans": &s.Spans, "forms": &s.Forms, "choice": &s.Choice, "trust": &s.Trust}
}

// Write writes the weights as files into a folder, which must be there.
func (s *Set) Write(dir string) error {
	for name, m := range s.models() {
		if err := os.WriteFile(filepath.Join(dir, name+".bin"), (*m).Bytes(), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "rarity.bin"), s.Rarity.Bytes(), 0o644)
}
