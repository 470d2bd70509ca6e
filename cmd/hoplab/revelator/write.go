package revelator

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"hopstream/cmd/hoplab/revelator/routing"
)

// Format is a layout of training files that LLaMA-Factory reads.
type Format string

// The formats. Both say the same.
const (
	Alpaca   Format = "alpaca"
	ShareGPT Format = "sharegpt"
)

// alpaca is an example in the Alpaca format. LLaMA-Factory joins instruction
// and input into the user's turn, so the turn stands in the required one
// alone; system is the system text.
type alpaca struct {
	System      string `json:"system"`
	Instruction string `json:"instruction"`
	Input       string `json:"input"`
	Output      string `json:"output"`
}

// shareGPT is an example as a conversation.
type shareGPT struct {
	System        string `json:"system"`
	Conversations []turn `json:"conversations"`
}

type turn struct {
	From  string `json:"from"`
	Value string `json:"value"`
}

func (f Format) record(e Example) any {
	if f == Alpaca {
		return alpaca{System: e.Prompt.System, Instruction: e.Prompt.User, Output: e.Reply}
	}
	return shareGPT{e.Prompt.System, []turn{{"human", e.Prompt.User}, {"gpt", e.Reply}}}
}

// description is an entry of dataset_info.json, from which LLaMA-Factory
// learns where a data set is and what its fields are called.
type description struct {
	FileName   string            `json:"file_name"`
	Formatting Format            `json:"formatting"`
	Columns    map[string]string `json:"columns"`
	Tags       map[string]string `json:"tags,omitempty"`
}

func (f Format) describe(file string) description {
	d := description{FileName: file, Formatting: f}
	if f == Alpaca {
		d.Columns = map[string]string{"prompt": "instruction", "query": "input", "response": "output", "system": "system"}
		return d
	}
	d.Columns = map[string]string{"messages": "conversations", "system": "system"}
	// A tag that is left out counts as none, so all are named.
	d.Tags = map[string]string{"role_tag": "from", "content_tag": "value", "user_tag": "human", "assistant_tag": "gpt",
		"observation_tag": "observation", "function_tag": "function_call", "system_tag": "system"}
	return d
}

// fileName is where a role's split stands, datasetName what dataset_info.json
// calls it.
func fileName(role Role, f Format, split Split) string {
	return fmt.Sprintf("%s.%s.%s.json", role, f, split)
}

func datasetName(role Role, f Format, split Split) string {
	name := fmt.Sprintf("revelator_%s_%s", role, split)
	if f == ShareGPT {
		name += "_sharegpt"
	}
	return name
}

// The files beside the examples.
const (
	infoFile   = "dataset_info.json"
	recipeFile = "revelator_lora_sft.yaml"
	splitsFile = "splits.jsonl"
)

// Write writes everything into dir, which must exist: the examples in both
// formats, dataset_info.json, the recipe, which question is in which split, the
// questions to measure a router on, and the manifest. A split without examples has no file.
func (m *Made) Write(dir string, inputs []Input) error {
	info := map[string]description{}
	for _, role := range m.Options.Roles {
		for _, split := range SplitNames() {
			examples := m.Examples[role][split]
			if len(examples) == 0 {
				continue
			}
			for _, f := range []Format{Alpaca, ShareGPT} {
				name := fileName(role, f, split)
				if err := writeArray(filepath.Join(dir, name), f, examples); err != nil {
					return err
				}
				info[datasetName(role, f, split)] = f.describe(name)
			}
		}
	}
	if err := writeJSON(filepath.Join(dir, infoFile), info); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, recipeFile), []byte(m.recipe()), 0o644); err != nil {
		return err
	}
	if held := m.Routed[Test].questions; len(held) > 0 {
		if err := writeLines(filepath.Join(dir, routing.File), held); err != nil {
			return err
		}
	}
	if err := m.writeSplits(filepath.Join(dir, splitsFile)); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, ManifestFile), m.manifest(inputs))
}

// writeArray writes a JSON array, one example a line.
func writeArray(path string, f Format, examples []Example) error {
	return create(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		before := "["
		for _, e := range examples {
			if _, err := io.WriteString(w, before); err != nil {
				return err
			}
			if err := enc.Encode(f.record(e)); err != nil { // ends the line
				return err
			}
			before = ","
		}
		_, err := io.WriteString(w, "]\n")
		return err
	})
}

// writeSplits writes {"set","id","split"} of every question, so that a tuned
// model can be measured on what it was not tuned on.
func (m *Made) writeSplits(path string) error {
	return create(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, s := range m.Sets {
			for _, split := range SplitNames() {
				for _, id := range s.Placed[split] {
					if err := enc.Encode(placed{s.Name, id, split}); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

type placed struct {
	Set   string `json:"set"`
	ID    string `json:"id"`
	Split Split  `json:"split"`
}

func writeJSON(path string, v any) error {
	return create(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(v)
	})
}

// create writes a file through a buffer.
func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	return errors.Join(write(w), w.Flush(), f.Close())
}
