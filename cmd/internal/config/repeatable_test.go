package config

import "testing"

func TestRepeatable(t *testing.T) {
	t.Parallel()
	for want, options := range map[bool][]map[string]any{
		true:  {{"temperature": 0}, {"temperature": 0.0}, {"temperature": "0", "seed": 1}},
		false: {nil, {"seed": 1}, {"temperature": 0.2}, {"temperature": 1}},
	} {
		for _, o := range options {
			if m := (ModelConfig{Options: o}); m.Repeatable() != want {
				t.Errorf("%v: %v", o, !want)
			}
		}
	}
}
