package config

import (
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/structs"
	"github.com/knadh/koanf/v2"
)

// YAML returns c as a configuration file, without passwords and keys.
func (c Config) YAML() ([]byte, error) {
	k := koanf.New(".")
	if err := k.Load(structs.Provider(c.Redacted(), "koanf"), nil); err != nil {
		return nil, err
	}
	return k.Marshal(yaml.Parser())
}
