package vector

import _ "github.com/coder/hnsw"
