package revelator

import (
	"fmt"
	"strings"
)

// bytesPerToken is a cautious guess: English has about four.
const bytesPerToken = 3

// recipe is LLaMA-Factory's configuration for tuning with these examples.
// Method, epochs, learning rate, schedule and warm-up are HANRAG's (appendix
// D), as is the model; rank, target and batch are what LLaMA-Factory's own
// LoRA examples use, since the paper does not say.
func (m *Made) recipe() string {
	longest := 0
	var train, dev []string
	for _, role := range m.Options.Roles {
		for split, names := range map[Split]*[]string{Train: &train, Dev: &dev} {
			examples := m.Examples[role][split]
			if len(examples) > 0 {
				*names = append(*names, datasetName(role, Alpaca, split))
			}
			for _, e := range examples {
				longest = max(longest, e.size())
			}
		}
	}
	cutoff := 2048
	for cutoff*bytesPerToken < longest {
		cutoff += 1024
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# One model for the roles %s.
# In this folder:  llamafactory-cli train %s

### model: any instruction-tuned one with its template; the paper's is this
model_name_or_path: meta-llama/Llama-3.1-8B-Instruct
template: llama3

### method: the paper's LoRA; rank and target are LLaMA-Factory's usual ones
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 8
lora_target: all

### dataset: append _sharegpt to a name for the other format, which says the same
dataset_dir: .
dataset: %s
cutoff_len: %d  # above the longest example, %d bytes: a prompt that is cut off teaches nothing
preprocessing_num_workers: 8

### train: one epoch, 1e-4, cosine, a tenth of the steps to warm up, as in the paper
num_train_epochs: 1.0
learning_rate: 1.0e-4
lr_scheduler_type: cosine
warmup_ratio: 0.1
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
bf16: true
seed: 42

### output
output_dir: revelator-lora
logging_steps: 10
save_steps: 500
plot_loss: true
`, strings.Join(roleNames(m.Options.Roles), ", "), recipeFile, strings.Join(train, ","), cutoff, longest)
	if len(dev) > 0 {
		fmt.Fprintf(&b, `
### eval
eval_dataset: %s
per_device_eval_batch_size: 1
eval_strategy: steps
eval_steps: 500
`, strings.Join(dev, ","))
	}
	return b.String()
}

func roleNames(roles []Role) []string {
	out := make([]string, len(roles))
	for i, r := range roles {
		out[i] = string(r)
	}
	return out
}
