package main

import (
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/structs"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"
)

func newConfig(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the effective configuration as YAML",
		Long: `Print the effective configuration as YAML: defaults, then the configuration
file, then the environment (HOPSTREAM_, nesting by two underscores, such as
HOPSTREAM_PIPELINE__MAX_OPEN=500), then flags. The output is a valid
configuration file; passwords in URLs are left out.`,
		Args: exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			c := a.cfg
			if c.NATS.URL != "" {
				c.NATS.URL = redact(c.NATS.URL)
			}
			k := koanf.New(".")
			if err := k.Load(structs.Provider(c, "koanf"), nil); err != nil {
				return err
			}
			b, err := k.Marshal(yaml.Parser())
			if err != nil {
				return err
			}
			_, err = a.out.Write(b)
			return err
		},
	}
}
