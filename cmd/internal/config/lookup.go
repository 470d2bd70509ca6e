package config

import (
	"fmt"

	"github.com/knadh/koanf/providers/structs"
	"github.com/knadh/koanf/v2"
)

// Value returns the value of a setting by its key, such as retriever.top_k. It
// fails if there is no such key.
func (c *Config) Value(key string) (any, error) {
	k := koanf.New(".")
	if err := k.Load(structs.Provider(*c, "koanf"), nil); err != nil {
		return nil, err
	}
	if !k.Exists(key) {
		return nil, fmt.Errorf("there is no setting %s", key)
	}
	return k.Get(key), nil
}
