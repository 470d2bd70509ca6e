package ollama

import (
	_ "github.com/hashicorp/golang-lru/v2/expirable"
	_ "github.com/ollama/ollama/api"
)
